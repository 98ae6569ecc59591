/** Builds what `npm start` runs and serves, each only if it has changed: browser files, documentation, programs. */
import { buildInterface } from '../build-interface.ts'
import { buildWeb } from '../build-web.ts'
import { buildSite } from '../site/build-site.ts'
import { buildPrograms } from './build-programs.ts'

if (import.meta.main) {
  await buildWeb()
  await buildSite()
  await buildInterface()
  await buildPrograms()
}
