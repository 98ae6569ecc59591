/** A sample as a Go program of the standard library. */
import {
  camelCase,
  formPairs,
  freshOrder,
  type HashFunction,
  type PlannedMembers,
  type PlannedValue,
  type ProgramPlan,
  writeCalls,
} from '../program-plan.ts'

const functions: Readonly<Record<HashFunction, readonly string[]>> = {
  rev: [
    'func rev(parts ...string) string {',
    '\tbytes := []byte(strings.Join(parts, ""))',
    '\tfor i, j := 0, len(bytes)-1; i < j; i, j = i+1, j-1 {',
    '\t\tbytes[i], bytes[j] = bytes[j], bytes[i]',
    '\t}',
    '\treturn string(bytes)',
    '}',
  ],
  up: [
    'func up(parts ...string) string {',
    '\tbytes := []byte(strings.Join(parts, ""))',
    '\tfor i, b := range bytes {',
    "\t\tif b >= 'a' && b <= 'z' {",
    "\t\t\tbytes[i] = b - 'a' + 'A'",
    '\t\t}',
    '\t}',
    '\treturn string(bytes)',
    '}',
  ],
  md5: ['func md5(parts ...string) string { return fmt.Sprintf("%x", md5sum.Sum([]byte(strings.Join(parts, "")))) }'],
  sha1: [
    'func sha1(parts ...string) string { return fmt.Sprintf("%x", sha1sum.Sum([]byte(strings.Join(parts, "")))) }',
  ],
}

export function goProgram(plan: ProgramPlan): string {
  const isForm = plan.encoding === 'form'
  const headers = [
    ['content-type', isForm ? 'application/x-www-form-urlencoded' : 'application/json'] as const,
    ...plan.headers,
  ]
  return [
    'package main',
    '',
    'import (',
    ...modulesOf(plan).map((name) => `\t${name}`),
    ')',
    '',
    ...plan.functions.flatMap((name) => [...functions[name], '']),
    'func main() {',
    '\tbaseURL := "{{base_url}}"',
    ...(plan.keyName ? ['\tkey := "{{key}}"'] : []),
    ...(plan.hash ? ['\tpassword := "{{password}}"'] : []),
    ...plan.constants.map(({ name, text }) => `\t${camelCase(name)} := ${literal(text)}`),
    ...(plan.hash ? [`\thash := ${writeCalls(plan.hash, { constant: camelCase, password: 'password' })}`] : []),
    '',
    ...(isForm ? formLines(plan) : jsonLines(plan)),
    `\trequest, _ := http.NewRequest("${plan.method}", baseURL+"${plan.path}", strings.NewReader(body))`,
    ...headers.map(([name, text]) => `\trequest.Header.Set("${name}", "${text}")`),
    '\treply, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer reply.Body.Close()',
    '\tanswer, _ := io.ReadAll(reply.Body)',
    '\tfmt.Println(reply.StatusCode, string(answer))',
    '}',
    '',
  ].join('\n')
}

function modulesOf({ encoding, functions: used, constants, body }: ProgramPlan): readonly string[] {
  const isNew = constants.some(({ text }) => text === freshOrder) || JSON.stringify(body).includes(freshOrder)
  return [
    ...(used.includes('md5') ? ['md5sum "crypto/md5"'] : []),
    ...(used.includes('sha1') ? ['sha1sum "crypto/sha1"'] : []),
    ...(encoding === 'json' ? ['"encoding/json"'] : []),
    '"fmt"',
    '"io"',
    '"net/http"',
    ...(encoding === 'form' ? ['"net/url"'] : []),
    '"strings"',
    ...(isNew ? ['"time"'] : []),
  ]
}

function formLines(plan: ProgramPlan): readonly string[] {
  const pairs = formPairs(plan.body).map(([name, value]) => `\t\t"${name}": {${writeValue(value, '\t\t')}},`)
  const [first = '', ...others] = pairs
  return [
    '\tfields := url.Values{',
    first,
    `\t\t"${plan.keyName}": {key},`,
    ...others,
    '\t\t"hash": {hash},',
    '\t}',
    '\tbody := fields.Encode()',
  ]
}

function jsonLines(plan: ProgramPlan): readonly string[] {
  return [
    '\tfields := map[string]any{',
    ...(plan.keyName ? [`\t\t"${plan.keyName}": key,`] : []),
    ...memberLines(plan.body, '\t\t'),
    ...(plan.hash ? ['\t\t"hash": hash,'] : []),
    '\t}',
    '\tencoded, _ := json.Marshal(fields)',
    '\tbody := string(encoded)',
  ]
}

const memberLines = (members: PlannedMembers, indent: string): readonly string[] =>
  members.map(([name, value]) => `${indent}"${name}": ${writeValue(value, indent)},`)

function writeValue(value: PlannedValue, indent: string): string {
  switch (value.kind) {
    case 'constant':
      return camelCase(value.name)
    case 'text':
      return literal(value.text)
    case 'flag':
      return String(value.value)
    case 'list':
      return `[]string{${value.texts.map(literal).join(', ')}}`
    case 'object':
      return ['map[string]any{', ...memberLines(value.members, `${indent}\t`), `${indent}}`].join('\n')
  }
}

const literal = (text: string): string =>
  text === freshOrder ? 'fmt.Sprint("ORDER-", time.Now().UnixNano())' : `"${text}"`
