import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { secretSettings, settings } from './settings.ts'

test('every setting has a description, and the configuration reads it', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const readers = globSync('*.ts', { cwd: folder, exclude: ['settings.ts', 'sign-in-settings.ts', '*.test.ts'] })
  const code = [...readers, 'sign-in-settings.ts', '../observe/tracing/trace-settings.ts']
    .map((file) => readFileSync(folder + file, 'utf8'))
    .join('\n')
  for (const [name, setting] of Object.entries(settings)) {
    assert.match(setting.description ?? '', /\.$/, name)
    assert.match(code, new RegExp(`\\b${name}\\b(?!: {2,})`), `${name} is read by no part of the configuration`)
  }
})

test('passwords, tokens and keys are secret settings', () => {
  for (const name of ['DATABASE_URL', 'GATEHOUSE_KEYS', 'MPI_TOKEN', 'SMTP_URL'])
    assert.ok(secretSettings.has(name), name)
})
