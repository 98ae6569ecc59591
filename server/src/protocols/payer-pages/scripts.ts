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

/** Of the frame in which the hosted page shows the issuer's page. */
export const frameName = 'challenge'

/** The hosted page waits for the message; an empty frame has loaded nothing yet. */
export const submitInFrame = `{
  const frame = document.querySelector('iframe')
  const isEmpty = () => {
    try { return frame.contentWindow.location.href === 'about:blank' } catch { return false }
  }
  frame.addEventListener('load', () => isEmpty() || parent.postMessage('challenge shown', '*'))
  HTMLFormElement.prototype.submit.call(document.querySelector('form'))
}`

/** True if the hosted page shows this page in its frame; it gets a message. A page of another origin around this one cannot be read. */
const notifyHostedPage = `(() => {
  try {
    if (parent === window || parent.document.querySelector('iframe[name=${frameName}]') === null) return false
    parent.parent.postMessage('challenge ended', '*')
    return true
  } catch { return false }
})()`

export const leaveFrame = `${notifyHostedPage} || location.replace(document.querySelector('a').href)`

/** Tells the payer to continue in the window that opened; the link stays in case that window was closed. */
export const tellWhenOpened = `
${notifyHostedPage}
document.querySelector('a').addEventListener('click', () => {
  const status = document.querySelector('[role=status]')
  status.textContent = status.dataset.text
})
`
