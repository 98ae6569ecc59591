/** Credentials that the package wants inside of maps by currency. A MID has one currency there, so that the form has a field for it. */
import type { CredentialField } from '#server/connectors/prism/table/row.ts'

const currency: CredentialField = { name: 'currency', isSecret: false, path: [] }
const secretAt = (name: string, ...path: readonly string[]): CredentialField => ({ name, isSecret: true, path })

export const nestedFields: Readonly<Record<string, readonly CredentialField[]>> = {
  payload: [
    currency,
    secretAt('apiKey', 'authKeyMap', '{currency}', 'apiKey'),
    secretAt('processingAccountId', 'authKeyMap', '{currency}', 'processingAccountId'),
  ],
  paysafe: [
    { name: 'username', isSecret: true },
    { name: 'password', isSecret: true },
    currency,
    secretAt('accountId', 'accountId', 'card', '{currency}', 'noThreeDs'),
    secretAt('accountIdThreeDs', 'accountId', 'card', '{currency}', 'threeDs'),
  ],
}
