/** The panel at `/admin`: asks the server who is signed in, and renders. */
import { effect } from '@preact/signals'
import { render } from 'preact'
import { followHistory } from './router/current-address.ts'
import { noteSessionEnd, watchIdle } from './session/idle.ts'
import { loadSession, session } from './session/session.ts'
import { App } from './shell/app.tsx'
import { followTheme } from './shell/theme.ts'

const root = document.getElementById('panel')
if (root) {
  followTheme()
  followHistory()
  watchIdle()
  effect(() => {
    if (session.value !== null) noteSessionEnd(session.value.endsInSeconds)
  })
  render(<App />, root)
  void loadSession()
}
