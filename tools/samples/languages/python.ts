/** A sample as a Python program without dependencies. */
import {
  formPairs,
  freshOrder,
  type HashFunction,
  type PlannedMembers,
  type PlannedValue,
  type ProgramPlan,
  writeCalls,
} from '../program-plan.ts'

const functions: Readonly<Record<HashFunction, string>> = {
  rev: 'def rev(*parts): return join(parts)[::-1]',
  up: 'def up(*parts): return join(parts).upper()',
  md5: 'def md5(*parts): return hashlib.md5(join(parts)).hexdigest()',
  sha1: 'def sha1(*parts): return hashlib.sha1(join(parts)).hexdigest()',
}

export function pythonProgram(plan: ProgramPlan): string {
  const { constants, hash, encoding } = plan
  const isNew = constants.some(({ text }) => text === freshOrder) || JSON.stringify(plan.body).includes(freshOrder)
  const modules = [
    ...(hash ? ['hashlib'] : []),
    ...(encoding === 'json' ? ['json'] : []),
    ...(isNew ? ['time'] : []),
    ...(encoding === 'form' ? ['urllib.parse'] : []),
    'urllib.error',
    'urllib.request',
  ]
  return [
    `import ${modules.join(', ')}`,
    '',
    'BASE_URL = "{{base_url}}"',
    ...(plan.keyName ? ['KEY = "{{key}}"'] : []),
    ...(hash ? ['PASSWORD = "{{password}}"'] : []),
    ...constants.map(({ name, text }) => `${name} = ${literal(text)}`),
    '',
    ...(hash
      ? ['def join(parts): return b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)']
      : []),
    ...plan.functions.map((name) => functions[name]),
    '',
    'fields = {',
    ...linesOf(plan),
    '}',
    `body = ${encoding === 'form' ? 'urllib.parse.urlencode(fields)' : 'json.dumps(fields)'}.encode()`,
    `headers = {${[['content-type', contentType(encoding)] as const, ...plan.headers].map(([name, text]) => `"${name}": "${text}"`).join(', ')}}`,
    `request = urllib.request.Request(BASE_URL + "${plan.path}", body, headers, method="${plan.method}")`,
    'try:',
    '    reply = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    reply = error',
    'print(reply.status, reply.read().decode())',
    '',
  ].join('\n')
}

const contentType = (encoding: ProgramPlan['encoding']): string =>
  encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'

function linesOf(plan: ProgramPlan): readonly string[] {
  const members = plan.encoding === 'form' ? formPairs(plan.body) : plan.body
  const key = plan.keyName ? [`    "${plan.keyName}": KEY,`] : []
  const hash = plan.hash
    ? [`    "hash": ${writeCalls(plan.hash, { constant: (name) => name, password: 'PASSWORD' })},`]
    : []
  const [first, ...others] = members
  return plan.encoding === 'form' && first
    ? [...memberLines([first]), ...key, ...memberLines(others), ...hash]
    : [...key, ...memberLines(members), ...hash]
}

const memberLines = (members: PlannedMembers, indent = '    '): readonly string[] =>
  members.map(([name, value]) => `${indent}"${name}": ${writeValue(value, indent)},`)

function writeValue(value: PlannedValue, indent: string): string {
  switch (value.kind) {
    case 'constant':
      return value.name
    case 'text':
      return literal(value.text)
    case 'flag':
      return value.value ? 'True' : 'False'
    case 'list':
      return `[${value.texts.map(literal).join(', ')}]`
    case 'object':
      return ['{', ...memberLines(value.members, `${indent}    `), `${indent}}`].join('\n')
  }
}

const literal = (text: string): string => (text === freshOrder ? 'f"ORDER-{time.time_ns()}"' : `"${text}"`)
