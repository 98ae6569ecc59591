/** A sample as a shell script with curl and openssl. */
import {
  formPairs,
  freshOrder,
  type HashFunction,
  type HashPart,
  type PlannedMembers,
  type PlannedValue,
  type ProgramPlan,
} from '../program-plan.ts'

const functions: Readonly<Record<HashFunction, string>> = {
  rev: 'rev() { printf %s "$1" | LC_ALL=C command rev; }',
  up: 'up() { printf %s "$1" | LC_ALL=C tr a-z A-Z; }',
  md5: 'md5() { printf %s "$1" | openssl dgst -md5 -r | cut -c1-32; }',
  sha1: 'sha1() { printf %s "$1" | openssl dgst -sha1 -r | cut -c1-40; }',
}

export function curlProgram(plan: ProgramPlan): string {
  const { constants, hash } = plan
  return [
    "BASE_URL='{{base_url}}'",
    ...(plan.keyName ? ["KEY='{{key}}'"] : []),
    ...(hash ? ["PASSWORD='{{password}}'"] : []),
    ...constants.map(({ name, text }) => `${name.toUpperCase()}=${quote(text)}`),
    '',
    ...plan.functions.map((name) => functions[name]),
    ...(hash ? [`HASH=$(${writeHash(hash)})`, ''] : []),
    ...(plan.encoding === 'form' ? formCall(plan) : jsonCall(plan)),
    '',
  ].join('\n')
}

/** Nested substitutions: `md5 "$(up "$(rev "$EMAIL")$PASSWORD")"`. */
function writeHash(part: HashPart): string {
  switch (part.kind) {
    case 'password':
      return '$PASSWORD'
    case 'constant':
      return `$${part.name.toUpperCase()}`
    case 'call':
      return `${part.name} "${part.parts.map((inner) => (inner.kind === 'call' ? `$(${writeHash(inner)})` : writeHash(inner))).join('')}"`
  }
}

function formCall(plan: ProgramPlan): readonly string[] {
  const [first, ...others] = formPairs(plan.body).map(
    ([name, value]) => `  --data-urlencode "${name}=${inQuotes(value)}"`,
  )
  const data = [first ?? '', `  --data-urlencode "${plan.keyName}=$KEY"`, ...others, '  --data-urlencode "hash=$HASH"']
  return [`curl -sSw '\\n' "$BASE_URL${plan.path}" \\`, ...continueLines(data)]
}

const continueLines = (lines: readonly string[]): readonly string[] =>
  lines.map((line, index) => (index === lines.length - 1 ? line : `${line} \\`))

function jsonCall(plan: ProgramPlan): readonly string[] {
  const method = plan.method === 'POST' ? '' : ` -X ${plan.method}`
  const headers = [['content-type', 'application/json'] as const, ...plan.headers].map(
    ([name, text]) => ` -H '${name}: ${text}'`,
  )
  const members = [
    ...(plan.keyName ? [`  "${plan.keyName}": "$KEY"`] : []),
    ...jsonLines(plan.body),
    ...(plan.hash ? ['  "hash": "$HASH"'] : []),
  ]
  const data = ['{', ...members.map((line, index) => (index === members.length - 1 ? line : `${line},`)), '}']
  return [`curl -sSw '\\n'${method} "$BASE_URL${plan.path}"${headers.join('')} -d @- <<JSON`, ...data, 'JSON']
}

const jsonLines = (members: PlannedMembers): readonly string[] =>
  members.map(([name, value]) => `  "${name}": ${jsonValue(value)}`)

function jsonValue(value: PlannedValue): string {
  switch (value.kind) {
    case 'flag':
      return String(value.value)
    case 'list':
      return JSON.stringify(value.texts)
    case 'object':
      return `{ ${value.members.map(([name, inner]) => `"${name}": ${jsonValue(inner)}`).join(', ')} }`
    case 'constant':
    case 'text':
      return `"${inQuotes(value)}"`
  }
}

const inQuotes = (value: Extract<PlannedValue, { kind: 'constant' | 'text' }>): string =>
  value.kind === 'constant' ? `$${value.name.toUpperCase()}` : value.text === freshOrder ? fresh : value.text

const fresh = 'ORDER-$(date +%s)-$$'
const quote = (text: string): string => (text === freshOrder ? `"${fresh}"` : `'${text}'`)
