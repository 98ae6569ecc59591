/** The part of wallet B's browser API that this page uses. Chapter 40 §17, §20.5. */
import type { MethodView, SessionView, WalletView } from '../../page-api.ts'

interface WalletBClient {
  isReadyToPay(request: object): Promise<{ readonly result: boolean }>
  createButton(options: object): HTMLElement
  loadPaymentData(request: object): Promise<unknown>
}

declare global {
  interface Window {
    google?: {
      readonly payments?: {
        readonly api?: {
          readonly PaymentsClient?: new (options: { readonly environment: 'TEST' | 'PRODUCTION' }) => WalletBClient
        }
      }
    }
  }
}

export function walletBClient({ wallet }: MethodView): WalletBClient | null {
  const Client = window.google?.payments?.api?.PaymentsClient
  return Client && wallet ? new Client({ environment: wallet.environment ?? 'TEST' }) : null
}

/** The gateway merchant id is the merchant's key: the token is encrypted for this gateway and this merchant. */
export function walletBRequest({ order, total }: Pick<SessionView, 'order' | 'total'>, { wallet }: MethodView): object {
  const card = {
    type: 'CARD',
    parameters: {
      allowedAuthMethods: wallet?.auth_methods ?? [],
      allowedCardNetworks: wallet?.networks ?? [],
      ...addressAsked(wallet),
    },
    tokenizationSpecification: {
      type: 'PAYMENT_GATEWAY',
      parameters: { gateway: wallet?.gateway ?? '', gatewayMerchantId: wallet?.gateway_merchant_id ?? '' },
    },
  }
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    allowedPaymentMethods: [card],
    merchantInfo: {
      merchantName: wallet?.label ?? '',
      ...(wallet?.merchant_id ? { merchantId: wallet.merchant_id } : {}),
    },
    transactionInfo: {
      totalPriceStatus: 'FINAL',
      totalPrice: total ?? '0',
      currencyCode: order.currency,
      ...(wallet?.country ? { countryCode: wallet.country } : {}),
    },
  }
}

/** The wallet provider returns a phone number only together with a billing address, so the minimal address is requested. */
function addressAsked(wallet: WalletView | null): object {
  if (!wallet?.asks_address && !wallet?.asks_phone) return {}
  const format = wallet.asks_address ? 'FULL' : 'MIN'
  return {
    billingAddressRequired: true,
    billingAddressParameters: { format, phoneNumberRequired: wallet.asks_phone },
  }
}
