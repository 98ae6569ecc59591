/** `npm run sbom`: prints the bill of materials of a release as CycloneDX JSON. */
import { readOptions, runProgram } from '../command-line.ts'
import { sbom } from './sbom.ts'

const usage = `Usage: npm run --silent sbom

Prints the bill of materials of a release as CycloneDX JSON: the packages that it contains, with versions, integrity and licences.`

process.exitCode = await runProgram(usage, async () => {
  readOptions({})
  process.stdout.write(await sbom())
  return 0
})
