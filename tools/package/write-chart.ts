/** `npm run chart`: renders the chart, so that reviews and tests see what a change of its templates does. */
import { writeFile } from 'node:fs/promises'
import { readOptions, runProgram } from '../command-line.ts'
import { fingerprintLine, missingForChart, renderChart, renderedChart } from './chart.ts'

const usage = `Usage: npm run chart

Writes deploy/helm/gatehouse/rendered.yaml: the chart with the values of values-test.yaml. Needs Go.`

process.exitCode = await runProgram(usage, async () => {
  readOptions({})
  if (missingForChart !== null) {
    process.stderr.write(`${missingForChart}\n`)
    return 1
  }
  await writeFile(renderedChart, `${fingerprintLine()}${await renderChart()}`)
  process.stdout.write(`Wrote ${renderedChart}.\n`)
  return 0
})
