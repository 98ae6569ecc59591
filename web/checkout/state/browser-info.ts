/** Browser data for 3-D Secure. Chapter 10 §8.5. */
import type { BrowserInfo } from '../page-api.ts'

export function browserInfo(): BrowserInfo {
  return {
    user_agent: navigator.userAgent,
    language: navigator.language,
    color_depth: String(screen.colorDepth),
    screen_height: String(screen.height),
    screen_width: String(screen.width),
    timezone_offset: String(new Date(performance.timeOrigin).getTimezoneOffset()),
    java_enabled: 'false',
    javascript_enabled: 'true',
    platform: navigator.platform,
  }
}
