/** Compares the drawing of server/src in ARCHITECTURE with its folders, so that a new folder is drawn with the change that adds it. */

const folder = 'server/src/'

/** The folders of acquirers are all alike, and `npm run new:connector` adds one. */
const isNotDrawn = (path: string): boolean => /\/testing$|^connectors\/(?!disputes$|lines$)/.test(path)

/** `paths` are all files of the project. Two levels are compared; of deeper ones only what is drawn. */
export function drawingFaults(architecture: string, paths: readonly string[]): readonly string[] {
  const lines = drawnLines(architecture)
  const folders = foldersIn(paths)
  const missing = [...folders]
    .filter((path) => path.split('/').length <= 2 && !isNotDrawn(path) && !isDrawn(lines, path))
    .map((path) => `ARCHITECTURE.md: the drawing of ${folder} lacks ${path}/.`)
  const names = new Set([...folders].flatMap((path) => path.split('/')))
  const gone = lines
    .flatMap(namesIn)
    .filter((name) => !names.has(name))
    .map((name) => `ARCHITECTURE.md: the drawing of ${folder} has ${name}/, which does not exist.`)
  return [...missing, ...gone]
}

function drawnLines(architecture: string): readonly string[] {
  const [, block = ''] = /^### `server\/src\/`\n+```\n([\s\S]*?)^```/m.exec(architecture) ?? []
  return block.split('\n')
}

const namesIn = (line: string): readonly string[] =>
  [...line.matchAll(/(?<![\w/.-])(?<name>[a-z0-9-]+)\/(?=[\s:]|$)/g)].map(({ groups }) => groups?.['name'] ?? '')

const isTop = (line: string): boolean => /^ {2}\S/.test(line)

/** The second level is drawn in the line of its parent, or in those below it that are further in. */
function isDrawn(lines: readonly string[], path: string): boolean {
  const [top = '', below] = path.split('/')
  // A name may also occur in the line of another folder, such as due/wallets/.
  const own = lines.findIndex((line) => line.startsWith(`  ${top}/`))
  const at = own >= 0 ? own : lines.findIndex((line) => isTop(line) && namesIn(line).includes(top))
  if (at < 0 || below === undefined) return at >= 0
  const next = lines.findIndex((line, index) => index > at && isTop(line))
  return lines
    .slice(at, next < 0 ? undefined : next)
    .flatMap(namesIn)
    .includes(below)
}

function foldersIn(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths
      .filter((path) => path.startsWith(folder))
      .flatMap((path) => {
        const parts = path.slice(folder.length).split('/').slice(0, -1)
        return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
      }),
  )
}
