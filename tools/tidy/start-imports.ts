/** What a process that serves payments loads before its first request. See decisions/processes#late-loading. */
import type { SourceFile } from './source-files.ts'

/** `main.ts` imports the others when it knows its part, which is still before the first request. */
const startFiles = ['server/src/main.ts', 'server/src/wiring.ts', 'server/src/start/processes/member.ts']

/** Packages that no payment needs; they are imported where they are first used. */
const lateImports = ['@simplewebauthn/server', 'fflate', 'nodemailer', 'openid-client', 'pdfkit']

/** The first visit to the panel loads its API, which is as large as all protocols of payments together, and processes that run them load workers. */
const lateFolders = ['server/src/protocols/admin/api/', 'server/src/assembly/workers.ts']
/** Needed to decide whether a visit is one. */
const earlyFiles = ['server/src/protocols/admin/api/panel-host.ts']

const isLate = (path: string): boolean =>
  lateFolders.some((folder) => path.startsWith(folder)) && !earlyFiles.includes(path)

/** One sentence per import that makes every process load what few of them need. */
export function earlyImports(files: readonly SourceFile[]): readonly string[] {
  return loadedAtStart(files).flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ specifier, target, when }) =>
          when === 'loading' && (lateImports.includes(specifier) || (target !== null && isLate(target))),
      )
      .map(
        ({ specifier, line }) =>
          `${path}:${line}: every process would load ${specifier} when it starts: write await import('${specifier}') where it is used.`,
      ),
  )
}

function loadedAtStart(files: readonly SourceFile[]): readonly SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const loaded = new Set<SourceFile>()
  const load = (path: string): void => {
    const file = byPath.get(path)
    if (file === undefined || loaded.has(file)) return
    loaded.add(file)
    for (const { target, when } of file.imports) if (target !== null && when === 'loading') load(target)
  }
  for (const path of startFiles) load(path)
  return [...loaded]
}
