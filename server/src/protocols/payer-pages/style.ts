/** The style of all pages: one card, light or dark as the device prefers, from 320 px up, and in both writing directions. */
export const style = `
:root { color-scheme: light dark; --ink: #16191d; --quiet: #4d5561; --paper: #fff; --ground: #eef1f5; --line: #d8dde5; --accent: #1a56b0; --on-accent: #fff; --fault: #a3231f }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceef1; --quiet: #b3bac5; --paper: #1d2025; --ground: #101215; --line: #3a4049; --accent: #8ab4f8; --on-accent: #0b1f3d; --fault: #f5a29d }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; align-items: center; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 27rem; margin: 0 auto; padding: 2rem 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; text-align: center; overflow-wrap: anywhere }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; text-wrap: balance }
p { margin: 0; color: var(--quiet); text-wrap: pretty }
bdi { color: var(--ink); font-weight: 600 }
.button bdi { color: inherit }
.button { display: block; width: 100%; min-height: 3.25rem; margin: 1.5rem 0 0; padding: .75rem 1.25rem; border: 1px solid var(--accent); border-radius: .625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
.button:hover { text-decoration: underline }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
[role=status]:not(:empty) { margin-top: 1rem }
form label { display: block; margin: 1.5rem 0 .375rem; text-align: start; font-weight: 600 }
form input:not([type=hidden]) { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--quiet); border-radius: .5rem; background: var(--paper); color: var(--ink); font: inherit }
form input:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px }
.fault { margin-top: .5rem; color: var(--fault); text-align: start }
.late { margin-top: 1.5rem; animation: appear 0s 3s both }
.late .button { margin-top: .75rem }
.busy { width: 2rem; height: 2rem; margin: 0 auto 1.25rem; border: 3px solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 1s linear infinite }
@keyframes appear { from { visibility: hidden } }
@keyframes turn { to { transform: rotate(1turn) } }
@media (prefers-reduced-motion: reduce) { .busy { animation-duration: 6s } }
@media (scripting: none) { .busy { display: none } .late { animation: none } }
[hidden] { display: none }
iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; background: #fff }
`
