/**
 * What acquirers document: titles, idempotency headers, decline codes, and addresses where the package has none or that of the other mode. How long
 * a key holds stands here only where it was read in the acquirer's documentation, which is Checkout.com's. Every other acquirer is decided
 * by hand when an outcome is unknown.
 *
 * Left out on purpose: Placetopay, to which the package sends minor units where the documentation wants decimals.
 */
import type { AcquirerTerms } from './row.ts'

/** Response codes of ISO 8583, which many acquirers pass on from the issuer. */
const isoDeclines = {
  hard: ['04', '07', '14', '15', '33', '34', '41', '43', '46', '54', '57', '62', '78', 'R0', 'R1', 'R3'],
  soft: ['51', '61', '65', '91', '96', '05'],
  authentication_required: ['1A', '70'],
  fraud: ['59', '63'],
} as const

/** The gateways on the platform of NMI answer with its own numbers. */
const nmiDeclines = {
  hard: ['204', '220', '221', '222', '223', '224', '250', '251', '252', '253', '261', '262'],
  soft: ['200', '201', '202', '203', '240', '260', '263', '264', '400', '410', '420', '421', '430', '440', '441'],
  fraud: ['225', '461'],
} as const

/** Words of the card schemes that several acquirers use as codes. */
const wordDeclines = {
  hard: [
    'stolen_card',
    'lost_card',
    'lost_or_stolen',
    'expired_card',
    'invalid_number',
    'incorrect_number',
    'invalid_account',
    'pickup_card',
  ],
  soft: ['insufficient_funds', 'card_declined', 'do_not_honor', 'processing_error', 'limit_exceeded'],
  authentication_required: ['authentication_required'],
  fraud: ['fraudulent', 'suspected_fraud', 'blacklisted'],
} as const

const rows = {
  aci: { title: 'ACI Worldwide', redirects: true },
  affirm: { title: 'Affirm' },
  adyen: { title: 'Adyen (family)', idempotency: { header: 'idempotency-key' } },
  airwallex: { title: 'Airwallex' },
  authipay: { title: 'Authipay' },
  authorizedotnet: {
    title: 'Authorize.Net',
    declines: {
      hard: ['6', '7', '8', '37', '315', '316', '317', '41'],
      soft: ['2', '19', '20', '21', '22', '23', '25', '26', '57', '58', '59', '60', '61', '62', '63'],
      fraud: ['4', '45', '250', '251', '254'],
      technical: ['E00007'],
    },
  },
  bambora: { title: 'Bambora North America' },
  bamboraapac: { title: 'Bambora Asia-Pacific', declines: isoDeclines },
  bankofamerica: { title: 'Bank of America' },
  barclaycard: { title: 'Barclaycard Smartpay Fuse' },
  billwerk: { title: 'Billwerk+ (Reepay)' },
  bluesnap: {
    title: 'BlueSnap',
    // It takes the wallet's token in base64; the package puts the decrypted data there.
    withheld: ['wallet-a', 'wallet-b'],
    declines: {
      hard: ['14002', '14003', '14004', '14005', '14006', '14008'],
      soft: ['14001', '14016', '14042', '15012'],
      fraud: ['15011'],
    },
  },
  calida: { title: 'Calida', wantsReportAddress: true, namesShop: true },
  cashfree: { title: 'Cashfree' },
  celero: { title: 'Celero' },
  checkout: {
    title: 'Checkout.com (family)',
    idempotency: { header: 'cko-idempotency-key', validForHours: 24 },
    redirects: true,
    // The package sends ECI 06 whatever the wallet says.
    withheld: ['wallet-b'],
    addresses: { live: 'https://api.checkout.com/' },
  },
  cybersource: { title: 'CyberSource (family)' },
  datatrans: { title: 'Datatrans', idempotency: { header: 'idempotency-key' }, redirects: true },
  easebuzz: { title: 'Easebuzz' },
  elavon: { title: 'Elavon Converge' },
  finix: { title: 'Finix' },
  fiserv: { title: 'Fiserv Commerce Hub (charges)', addresses: { live: 'https://prod.api.fiservapps.com/' } },
  fiservcommercehub: { title: 'Fiserv Commerce Hub' },
  fiservemea: { title: 'Fiserv EMEA' },
  fiuu: { title: 'Fiuu', wantsReportAddress: true, redirects: true },
  forte: { title: 'Forte' },
  getnet: { title: 'Getnet' },
  gigadat: { title: 'Gigadat' },
  givepayments: { title: 'Give Payments' },
  globalpay: { title: 'Global Payments', idempotency: { header: 'x-gp-idempotency' } },
  glomopay: { title: 'Glomopay' },
  helcim: { title: 'Helcim' },
  hipay: { title: 'HiPay' },
  hyperpg: { title: 'HyperPG' },
  iatapay: { title: 'IATA Pay', wantsReportAddress: true },
  imerchantsolutions: { title: 'iMerchant Solutions' },
  jpmorgan: { title: 'J.P. Morgan' },
  juspay: { title: 'Juspay', redirects: true },
  loonio: { title: 'Loonio', wantsReportAddress: true },
  mifinity: { title: 'MiFinity' },
  mollie: { title: 'Mollie', idempotency: { header: 'idempotency-key' } },
  multisafepay: { title: 'MultiSafepay', addresses: { live: 'https://api.multisafepay.com/v1/json/' } },
  nexinets: { title: 'Nexi Nets' },
  nmi: { title: 'NMI', declines: nmiDeclines },
  // It takes the wallet's token as it came; the package puts the decrypted data there.
  noon: { title: 'noon payments', withheld: ['wallet-b'] },
  // Its page is not used: the answer that names it has no reference by which the payment could be asked about.
  novalnet: { title: 'Novalnet', wantsReportAddress: true },
  nuvei: { title: 'Nuvei' },
  paybox: { title: 'Paybox' },
  payconex: { title: 'PayConex' },
  payload: { title: 'Payload' },
  payme: { title: 'PayMe' },
  paypal: { title: 'PayPal (family)', idempotency: { header: 'paypal-request-id' } },
  paysafe: { title: 'Paysafe' },
  paytm: { title: 'Paytm' },
  payu: { title: 'PayU' },
  peachpayments: { title: 'Peach Payments' },
  phonepe: { title: 'PhonePe', wantsReportAddress: true },
  pinelabsOnline: { title: 'Pine Labs Online' },
  powertranz: { title: 'PowerTranz', declines: isoDeclines },
  ppro: { title: 'PPRO', wantsReportAddress: true },
  rapyd: { title: 'Rapyd', idempotency: { header: 'idempotency' }, redirects: true },
  redsys: { title: 'Redsys', shortReferences: true },
  revolut: { title: 'Revolut' },
  revolv3: { title: 'Revolv3' },
  shift4: { title: 'Shift4', idempotency: { header: 'idempotency-key' }, declines: wordDeclines },
  silverflow: { title: 'Silverflow' },
  stax: { title: 'Stax' },
  stripe: {
    title: 'Stripe (family)',
    takesDescriptorSuffix: true,
    redirects: true,
    // A payment intent has no member `card`, in which the package sends the decrypted data.
    withheld: ['wallet-a'],
    idempotency: { header: 'idempotency-key' },
    declines: wordDeclines,
  },
  tamara: { title: 'Tamara' },
  trustpay: { title: 'TrustPay' },
  trustpayments: { title: 'Trust Payments' },
  tsys: { title: 'TSYS' },
  tsysTransit: { title: 'TSYS TransIT' },
  twocTwopPaco: { title: '2C2P PACO' },
  volt: { title: 'Volt' },
  wellsfargo: { title: 'Wells Fargo' },
  worldpay: { title: 'Worldpay Access' },
  worldpayxml: { title: 'Worldpay XML' },
  xendit: { title: 'Xendit', idempotency: { header: 'idempotency-key' }, redirects: true },
  zift: { title: 'Zift' },
} as const satisfies Readonly<Record<string, AcquirerTerms>>

export const acquirerTerms: Readonly<Record<string, AcquirerTerms>> = rows
