/** A sample as a Java program of the standard library, in one file. */
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

const digest = (name: string, algorithm: string): readonly string[] => [
  `    static String ${name}(Object... parts) throws Exception {`,
  `        return HexFormat.of().formatHex(MessageDigest.getInstance("${algorithm}").digest(join(parts)));`,
  '    }',
]

const functions: Readonly<Record<HashFunction, readonly string[]>> = {
  rev: [
    '    static byte[] rev(Object... parts) throws Exception {',
    '        byte[] from = join(parts), to = new byte[from.length];',
    '        for (int i = 0; i < from.length; i++) to[i] = from[from.length - 1 - i];',
    '        return to;',
    '    }',
  ],
  up: [
    '    static byte[] up(Object... parts) throws Exception {',
    '        byte[] bytes = join(parts);',
    "        for (int i = 0; i < bytes.length; i++) if (bytes[i] >= 'a' && bytes[i] <= 'z') bytes[i] -= 32;",
    '        return bytes;',
    '    }',
  ],
  md5: digest('md5', 'MD5'),
  sha1: digest('sha1', 'SHA-1'),
}

const join = [
  '    static byte[] join(Object... parts) throws Exception {',
  '        var joined = new ByteArrayOutputStream();',
  '        for (Object part : parts) joined.write(part instanceof byte[] bytes ? bytes : part.toString().getBytes(UTF_8));',
  '        return joined.toByteArray();',
  '    }',
  '',
]

export function javaProgram(plan: ProgramPlan): string {
  const isForm = plan.encoding === 'form'
  const headers = [
    ['content-type', isForm ? 'application/x-www-form-urlencoded' : 'application/json'] as const,
    ...plan.headers,
  ]
  return [
    'import static java.nio.charset.StandardCharsets.UTF_8;',
    ...(plan.hash ? ['import java.io.ByteArrayOutputStream;'] : []),
    'import java.net.*;',
    'import java.net.http.*;',
    ...(plan.hash ? ['import java.security.MessageDigest;'] : []),
    'import java.util.*;',
    ...(isForm ? ['import java.util.stream.Collectors;'] : []),
    '',
    'public class Main {',
    ...(plan.hash ? join : []),
    ...plan.functions.flatMap((name) => [...functions[name], '']),
    '    public static void main(String[] arguments) throws Exception {',
    '        var baseUrl = "{{base_url}}";',
    ...(plan.keyName ? ['        var key = "{{key}}";'] : []),
    ...(plan.hash ? ['        var password = "{{password}}";'] : []),
    ...plan.constants.map(({ name, text }) => `        var ${camelCase(name)} = ${literal(text)};`),
    ...(plan.hash
      ? [`        var hash = ${writeCalls(plan.hash, { constant: camelCase, password: 'password' })};`]
      : []),
    ...(isForm ? formLines(plan) : jsonLines(plan)),
    `        var request = HttpRequest.newBuilder(URI.create(baseUrl + "${plan.path}"))`,
    ...headers.map(([name, text]) => `            .header("${name}", "${text}")`),
    `            .method("${plan.method}", HttpRequest.BodyPublishers.ofString(body)).build();`,
    '        var reply = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    '        System.out.println(reply.statusCode() + " " + reply.body());',
    '    }',
    '}',
    '',
  ].join('\n')
}

function formLines(plan: ProgramPlan): readonly string[] {
  const put = (name: string, value: string): string => `        fields.put("${name}", ${value});`
  const [first = '', ...others] = formPairs(plan.body).map(([name, value]) => put(name, expression(value)))
  return [
    '        var fields = new LinkedHashMap<String, String>();',
    first,
    put(plan.keyName ?? '', 'key'),
    ...others,
    put('hash', 'hash'),
    '        var body = fields.entrySet().stream()',
    '            .map(field -> URLEncoder.encode(field.getKey(), UTF_8) + "=" + URLEncoder.encode(field.getValue(), UTF_8))',
    '            .collect(Collectors.joining("&"));',
  ]
}

/** Java has no JSON of its own: a text block with the variables in their places. */
function jsonLines(plan: ProgramPlan): readonly string[] {
  const members: PlannedMembers = [
    ...(plan.keyName ? [[plan.keyName, { kind: 'constant', name: 'key' }] as const] : []),
    ...plan.body,
    ...(plan.hash ? [['hash', { kind: 'constant', name: 'hash' }] as const] : []),
  ]
  const used: string[] = []
  const lines = members.map(([name, value]) => `            "${name}": ${jsonValue(value, used)}`)
  const text = ['            {', ...lines.map((line, index) => (index === lines.length - 1 ? line : `${line},`))]
  const end = used.length > 0 ? `            }""".formatted(${used.join(', ')});` : '            }""";'
  return ['        var body = """', ...text, end]
}

function jsonValue(value: PlannedValue, used: string[]): string {
  switch (value.kind) {
    case 'constant':
      used.push(camelCase(value.name))
      return '"%s"'
    case 'text':
      if (value.text !== freshOrder) return `"${value.text}"`
      used.push(literal(value.text))
      return '"%s"'
    case 'flag':
      return String(value.value)
    case 'list':
      return JSON.stringify(value.texts)
    case 'object':
      return `{ ${value.members.map(([name, inner]) => `"${name}": ${jsonValue(inner, used)}`).join(', ')} }`
  }
}

const expression = (value: Extract<PlannedValue, { kind: 'constant' | 'text' }>): string =>
  value.kind === 'constant' ? camelCase(value.name) : literal(value.text)

const literal = (text: string): string => (text === freshOrder ? '"ORDER-" + System.nanoTime()' : `"${text}"`)
