import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { notifications } from './notifications.ts'

test('a flood of notifications is stored once each, worked off and held in no process, and payments go on', () =>
  smoke({ ...notifications.sizes, ...notifications.quick }, notifications.run, {
    ...notifications.sizes,
    notifications: 50_000,
    slackMegabytes: 12,
  }))
