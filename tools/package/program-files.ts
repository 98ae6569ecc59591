/** The files of a release, from which the container image and the Debian package are made. */
import { globSync } from 'node:fs'
import { isForTests, isTest, root } from '../tidy/source-files.ts'

const patterns = [
  'cli/**/*.ts',
  // The command line shares the events of a sandbox with the command for integrators.
  'client/typescript/{cli,src}/**/*.ts',
  'domain/src/**/*.{ts,json}',
  'server/src/**/*.{ts,json,sql,html,txt,pem}',
  'sandbox/**/*.{ts,js,json,css,html,svg}',
  'web/.built/*',
  'web/.built-docs/*',
  'web/.built-interface/openapi/*',
  // The sandbox serves both to developers of shops.
  'web/sdk/sample-form/**/*.*',
  'docs/interface/*.md',
  'deploy/container/*.mjs',
  'LICENSE',
]

/** Relative to the project. Browser files and documentation have to be built before. */
export function programFiles(): readonly string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/fixtures/**', 'cli/test/**'] })
    .filter((path) => !isTest(path) && !isForTests(path) && !path.endsWith('/schema.sql'))
    .toSorted()
}
