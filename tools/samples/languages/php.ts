/** A sample as a PHP program; it needs the extension curl. */
import {
  formPairs,
  freshOrder,
  type HashFunction,
  type PlannedMembers,
  type PlannedValue,
  type ProgramPlan,
  writeCalls,
} from '../program-plan.ts'

/** md5 and sha1 are PHP's own. */
const functions: Readonly<Partial<Record<HashFunction, string>>> = {
  rev: "function rev(string ...$parts): string { return strrev(implode('', $parts)); }",
  up: "function up(string ...$parts): string { return strtoupper(implode('', $parts)); }",
}

export function phpProgram(plan: ProgramPlan): string {
  const { constants, hash, encoding } = plan
  const type = encoding === 'form' ? [] : [['content-type', 'application/json'] as const]
  const headers = [...type, ...plan.headers]
  return [
    '<?php',
    "$baseUrl = '{{base_url}}';",
    ...(plan.keyName ? ["$key = '{{key}}';"] : []),
    ...(hash ? ["$password = '{{password}}';"] : []),
    ...constants.map(({ name, text }) => `$${name} = ${literal(text)};`),
    '',
    ...plan.functions.flatMap((name) => functions[name] ?? []),
    ...(hash ? [`$hash = ${writePhpHash(hash)};`, ''] : []),
    '$fields = [',
    ...linesOf(plan),
    '];',
    '',
    `$request = curl_init($baseUrl . '${plan.path}');`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${plan.method}',`,
    ...(headers.length > 0
      ? [`    CURLOPT_HTTPHEADER => [${headers.map(([name, text]) => `'${name}: ${text}'`).join(', ')}],`]
      : []),
    `    CURLOPT_POSTFIELDS => ${encoding === 'form' ? 'http_build_query($fields)' : 'json_encode($fields)'},`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$answer = curl_exec($request);',
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
    '',
  ].join('\n')
}

/** PHP's own digests take one text, so that several parts are joined by a point. */
function writePhpHash(part: NonNullable<ProgramPlan['hash']>): string {
  if (part.kind !== 'call' || (part.name !== 'md5' && part.name !== 'sha1'))
    return writeCalls(part, { constant: (name) => `$${name}`, password: '$password' })
  return `${part.name}(${part.parts.map(writePhpHash).join(' . ')})`
}

function linesOf(plan: ProgramPlan): readonly string[] {
  const members = plan.encoding === 'form' ? formPairs(plan.body) : plan.body
  const key = plan.keyName ? [`    '${plan.keyName}' => $key,`] : []
  const hash = plan.hash ? ["    'hash' => $hash,"] : []
  const [first, ...others] = members
  return plan.encoding === 'form' && first
    ? [...memberLines([first]), ...key, ...memberLines(others), ...hash]
    : [...key, ...memberLines(members), ...hash]
}

const memberLines = (members: PlannedMembers, indent = '    '): readonly string[] =>
  members.map(([name, value]) => `${indent}'${name}' => ${writeValue(value, indent)},`)

function writeValue(value: PlannedValue, indent: string): string {
  switch (value.kind) {
    case 'constant':
      return `$${value.name}`
    case 'text':
      return literal(value.text)
    case 'flag':
      return String(value.value)
    case 'list':
      return `[${value.texts.map(literal).join(', ')}]`
    case 'object':
      return ['[', ...memberLines(value.members, `${indent}    `), `${indent}]`].join('\n')
  }
}

const literal = (text: string): string => (text === freshOrder ? "'ORDER-' . hrtime(true)" : `'${text}'`)
