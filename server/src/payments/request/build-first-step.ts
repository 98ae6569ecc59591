/** Builds the request that begins a payment. Every protocol calls it, so that a member that was not sent has one default. */
import { requestTexts, textsOf } from '#domain/payment/facts.ts'
import type { FirstStepRequest } from './first-step-request.ts'

type RequiredMember = 'merchant' | 'mode' | 'protocol' | 'mapping' | 'action' | 'order' | 'paymentMethod' | 'useId'
type OptionalMember = Exclude<keyof FirstStepRequest, RequiredMember>

/** Undefined means that the member was not sent. */
export type FirstStepInput = Pick<FirstStepRequest, RequiredMember> & {
  readonly [Member in OptionalMember]?: FirstStepRequest[Member] | undefined
}

export function buildFirstStep(input: FirstStepInput): FirstStepRequest {
  const { merchant, mode, protocol, mapping, action, order, paymentMethod, useId, checkout } = input
  return {
    ...textsOf(requestTexts, (name) => input[name] ?? null),
    merchant,
    mode,
    protocol,
    mapping,
    action,
    order,
    paymentMethod,
    useId,
    auth: input.auth ?? false,
    channel: input.channel ?? null,
    payeeCard: input.payeeCard ?? null,
    saveCard: input.saveCard ?? false,
    payer: input.payer ?? {},
    payee: input.payee ?? {},
    payerIp: input.payerIp ?? null,
    language: input.language,
    callbackUrl: input.callbackUrl ?? null,
    payerReturn: input.payerReturn ?? null,
    payerPresent: input.payerPresent ?? true,
    threeDs: input.threeDs ?? null,
    recurringInit: input.recurringInit ?? false,
    schedule: input.schedule ?? null,
    parameters: input.parameters ?? null,
    customData: input.customData ?? null,
    requestId: input.requestId,
    ...(checkout ? { checkout } : {}),
  }
}

/** Without an address no payer step is possible. */
export const payerReturnTo = (url: string | undefined, target: string | undefined): FirstStepRequest['payerReturn'] =>
  url === undefined ? null : { url, target: target ?? null }
