/**
 * CyberSource: REST API `pts/v2` and `tss/v2`, by the documentation of November 2026 and the package cybersource-rest-client 0.0.83.
 *
 * Every answer is final. CyberSource has no idempotency keys, so that nothing is ever sent twice: an unknown outcome is looked up by
 * Transaction Search while no reversal can have been sent, and then reversed by our own id of the transaction.
 */
import { connector } from '../connector.ts'
import { checkCredentials } from './check.ts'
import { cybersourceCredentials, cybersourceHosts } from './credentials.ts'
import { cancel, capture, refund, release } from './follow-ups.ts'
import { executesWithinMs, findOutcome, searchCompleteMs } from './lookup.ts'
import { readCybersourceNotification } from './notification.ts'
import { pay, payOut } from './payments.ts'
import { signRequest } from './signature.ts'
import { testCards } from './test-cards.ts'
import { undo } from './undo.ts'

export const cybersource = connector({
  id: 'cybersource',
  title: 'CyberSource',
  credentials: cybersourceCredentials,
  hosts: cybersourceHosts,
  testCards,
  supports: {
    cardFlow: true,
    acceptsDecrypted: true,
    passesTokens: true,
    emv: false,
    partialCapture: true,
    partialRefund: true,
    moto: true,
    zeroAmount: true,
    recurring: true,
    cardOnFile: true,
    ownThreeDs: false,
    externalThreeDs: true,
    ipv6: true,
  },
  secretFields: [
    'paymentInformation.card.number',
    'paymentInformation.card.securityCode',
    'paymentInformation.tokenizedCard.number',
    'paymentInformation.tokenizedCard.cryptogram',
    'paymentInformation.fluidData.value',
    'consumerAuthenticationInformation.cavv',
    'consumerAuthenticationInformation.ucafAuthenticationData',
    'consumerAuthenticationInformation.xid',
  ],
  // A repeated transactionId is refused, not answered as before ("Reason codes", code 105): it protects, but it does not recover.
  recoveryWay: 'reverse',
  recovery: () => ({ idempotencyKey: null, executesWithinMs, decidesAfterMs: searchCompleteMs }),
  sign: signRequest,

  sale: (order, wire) => pay(order, wire, true),
  authorize: (order, wire) => pay(order, wire, false),
  credit: payOut,
  capture,
  refund,
  reverse: release,
  void: cancel,
  status: findOutcome,
  undo,
  readNotification: async (request, wire) => readCybersourceNotification(request, wire.credentials),
  check: async (_nothing, wire) => checkCredentials(wire),
})
