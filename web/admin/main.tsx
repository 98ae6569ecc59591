/** The panel at `/admin`: finds out who is there, and draws. */
import { render } from 'preact'
import { followHistory } from './router/place.ts'
import { enter } from './session/session.ts'
import { App } from './shell/app.tsx'
import { followTheme } from './shell/theme.ts'

const root = document.getElementById('panel')
if (root) {
  followTheme()
  followHistory()
  render(<App />, root)
  void enter()
}
