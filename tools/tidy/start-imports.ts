/** What a process of the gateway loads before its first request. Decision 0256. */
import type { SourceFile } from './source-files.ts'

/** `main.ts` imports the others when it knows its part, which is still before the first request. */
const startFiles = ['server/src/main.ts', 'server/src/wiring.ts', 'server/src/start/processes/member.ts']

/** Packages that no payment needs; they are imported where they are first used. */
const lateImports = ['@simplewebauthn/server', 'fflate', 'nodemailer', 'openid-client', 'pdfkit']

/** Only processes that serve the panel load its endpoints, which are as large as all protocols of payments together. */
const lateFile = 'server/src/protocols/admin/api/endpoints/index.ts'

/** One sentence per import that makes every process load what few of them need. */
export function earlyImports(files: readonly SourceFile[]): readonly string[] {
  return loadedAtStart(files).flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ specifier, target, when }) => when === 'loading' && (lateImports.includes(specifier) || target === lateFile),
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
