/** The request behind a button, folded below it. */
import { escapeHtml } from '../kit/html.ts'
import type { SignedRequest } from './signed-request.ts'

export const requestView = ({ path, body, signedText }: SignedRequest): string => `<details class="request">
<summary>Show the request</summary>
<pre tabindex="0">POST ${escapeHtml(path)}
${escapeHtml(JSON.stringify(body, null, 2))}</pre>
<p>hash = sha1(md5(<code>${escapeHtml(signedText)}</code>)), both in hexadecimal digits</p>
</details>`
