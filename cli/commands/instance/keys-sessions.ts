/** The key that signs Checkout's session tokens. Chapter 30 §3.6. */
import { sessionKeys } from '#server/protocols/checkout/session-keys.ts'
import { sessionKeyRows } from '#server/store/sessions/session-keys.ts'
import { command } from '../../kit/command.ts'
import { openInstance } from '../../kit/instance.ts'

export const rotateSessionKey = command({
  name: 'keys rotate-session',
  changes: true,
  summary: 'Creates a new signing key for session tokens; existing links keep working.',
  details:
    'Running processes use it within five minutes. SESSION_KEY_BITS sets its size. Older keys stay stored, so that every token\n' +
    'can be verified with the key that signed it.',
  args: {},
  options: {},
  async run(context) {
    await using instance = await openInstance(context)
    const id = await instance.change(async ({ pool, vault, clock, ids, config, note }) => {
      const keys = sessionKeys({ rows: sessionKeyRows(pool), vault, clock, ids, bits: config.sessionKeyBits })
      await keys.rotate()
      const current = (await keys.readCurrent()).id
      note({ action: 'session-key.rotate', subject: `session-key ${current}`, merchantId: null })
      return current
    })
    context.output.out(`The key ${id} now signs session tokens.`)
  },
})
