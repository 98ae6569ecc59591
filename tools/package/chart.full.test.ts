/** The chart, rendered by the template engine and the functions that Helm uses. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { missingForChart, renderChart, renderedChart } from './chart.ts'

test('the templates of the chart render to deploy/helm/gatehouse/rendered.yaml', {
  skip: missingForChart ?? false,
}, async () => {
  const objects = (text: string) => parseAllDocuments(text).map((document) => document.toJS())
  assert.deepEqual(objects(await renderChart()), objects(await readFile(renderedChart, 'utf8')))
})
