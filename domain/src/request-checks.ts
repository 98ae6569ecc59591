/** The checks of a merchant's request, in the order of precedence of their errors. Chapter 10 §1.3, chapter 20 §1.1, chapter 30 §1.4. */
export const checkSteps = [
  'body',
  'action',
  'key',
  'mapping',
  'address',
  'parameters',
  'entity',
  'hash',
  'signature',
  'rules',
] as const

export type CheckStep = (typeof checkSteps)[number]

const checkTitles: Readonly<Record<CheckStep, string>> = {
  body: 'The body can be read',
  action: 'The action exists',
  key: 'The key belongs to a merchant and may be used',
  mapping: 'The merchant may use the protocol',
  address: 'The caller’s address is allowed',
  parameters: 'The parameters are valid',
  entity: 'The payment or other record that the request names exists',
  hash: 'The hash is correct',
  signature: 'The request is signed if the mapping requires it, and the signature is correct and new',
  rules: 'The payment’s state and the merchant’s MIDs permit the request',
}

export interface CheckResult {
  readonly step: CheckStep
  readonly title: string
  readonly result: 'passed' | 'refused' | 'not checked'
}

/** Every check of a request that was refused at `refusedAt`. */
export function checkResults(refusedAt: CheckStep): readonly CheckResult[] {
  const last = checkSteps.indexOf(refusedAt)
  return checkSteps.map((step, index) => ({
    step,
    title: checkTitles[step],
    result: index < last ? 'passed' : index === last ? 'refused' : 'not checked',
  }))
}
