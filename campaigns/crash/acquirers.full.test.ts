import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { acquirers } from './acquirers.ts'

test('kills, lost answers and races over every stand-in lose and double nothing', () =>
  smoke({ payments: 60, kills: 3, lost: 84, races: 18 }, acquirers.run))
