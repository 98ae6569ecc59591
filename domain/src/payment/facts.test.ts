/** The lists of attributes that a mapping can select. Chapter 50 §2. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserFacts, payerFacts, threeDsFacts } from './facts.ts'

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

test('the 3DS attributes are the nine of the interface', () => {
  const words =
    'threeDSServerTransID dsTransID acsTransID xid transStatus transStatusReason eci protocolVersion authenticationFlow'
  assert.deepEqual(threeDsFacts, words.split(' '))
})

test('the browser attributes are the ten of the interface', () => {
  const words =
    'color_depth screen_height screen_width java_enabled javascript_enabled language timezone_offset user_agent accept_headers platform'
  assert.deepEqual(browserFacts.map(snake), words.split(' '))
})

test('the payer fields are those of the interface except the IP address, and the middle name of SALE', () => {
  const words =
    'first_name last_name birth_date address address2 house_number phone_country_code country state city district zip email phone'
  assert.deepEqual(payerFacts.map(snake).sort(), [...words.split(' '), 'middle_name'].sort())
})
