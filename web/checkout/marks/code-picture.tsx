/** Where the security code is: the back of most cards, the front of those with four digits. The hint below the field says it in words. */
import type { JSX } from 'preact'

export const CodePicture = ({ isFront }: { readonly isFront: boolean }): JSX.Element => (
  <svg class="adornment code-picture" aria-hidden="true" viewBox="0 0 38 24" width="38" height="24" fill="none">
    <rect x=".75" y=".75" width="36.5" height="22.5" rx="3.25" stroke="currentColor" stroke-width="1.5" />
    <path fill="currentColor" d={isFront ? 'M5 14h14v2H5zM5 18h9v1.5H5z' : 'M1 5h36v4H1zM5 13h13v4H5z'} />
    <rect x="21" y={isFront ? 5 : 11.5} width="13" height="7" rx="3.5" class="code-place" />
    <path
      class="code-digits"
      d={isFront ? 'M23.6 8.5h.01m2.4 0h.01m2.4 0h.01m2.4 0h.01' : 'M24.5 15h.01m2.9 0h.01m2.9 0h.01'}
    />
  </svg>
)
