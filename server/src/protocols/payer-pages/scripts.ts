/**
 * The inline scripts of the pages, allowed by their hashes in the policy.
 *
 * They find elements through the document and submit by the prototype's method: field names are chosen by other parties, and an input named
 * `submit` would hide the form's own method.
 */
const send = `
  document.querySelector('.late').hidden = true
  HTMLFormElement.prototype.submit.call(document.querySelector('form'))
`

/** Fills in the attributes that only the browser knows. Chapter 10 §8.5. */
export const collect = `{
  const seen = {
    browser_color_depth: screen.colorDepth,
    browser_screen_height: screen.height,
    browser_screen_width: screen.width,
    browser_java_enabled: typeof navigator.javaEnabled === 'function' && navigator.javaEnabled(),
    browser_javascript_enabled: true,
    browser_language: navigator.language,
    browser_timezone_offset: new Date().getTimezoneOffset(),
    browser_platform: (navigator.userAgentData && navigator.userAgentData.platform) || navigator.platform,
  }
  for (const name in seen) document.getElementById(name).value = String(seen[name])
${send}}`

export const submit = `{${send}}`

/** Tells the payer to continue in the window that opened; the link stays in case that window was closed. */
export const tellWhenOpened = `
document.querySelector('a').addEventListener('click', () => {
  const status = document.querySelector('[role=status]')
  status.textContent = status.dataset.text
})
`
