/** What the server itself says on the hosted page and in the frames, in the 21 languages. A language that lacks a text does not compile. */
import type { DeclineCause } from '#domain/checkout/session.ts'
import { type LanguageCode, languageOf } from '#domain/place/language.ts'
import ar from './languages/ar.json' with { type: 'json' }
import az from './languages/az.json' with { type: 'json' }
import bg from './languages/bg.json' with { type: 'json' }
import cs from './languages/cs.json' with { type: 'json' }
import de from './languages/de.json' with { type: 'json' }
import en from './languages/en.json' with { type: 'json' }
import fr from './languages/fr.json' with { type: 'json' }
import hr from './languages/hr.json' with { type: 'json' }
import hu from './languages/hu.json' with { type: 'json' }
import it from './languages/it.json' with { type: 'json' }
import ja from './languages/ja.json' with { type: 'json' }
import kk from './languages/kk.json' with { type: 'json' }
import nb from './languages/nb.json' with { type: 'json' }
import nl from './languages/nl.json' with { type: 'json' }
import pl from './languages/pl.json' with { type: 'json' }
import pt from './languages/pt.json' with { type: 'json' }
import ro from './languages/ro.json' with { type: 'json' }
import ru from './languages/ru.json' with { type: 'json' }
import sp from './languages/sp.json' with { type: 'json' }
import zh from './languages/zh.json' with { type: 'json' }
import zhTw from './languages/zh-TW.json' with { type: 'json' }

export type PageTexts = Readonly<typeof en>

// biome-ignore format: a list of codes.
const textsByCode: Readonly<Record<LanguageCode, PageTexts>> = {
  en, sp, ar, az, fr, nb, zh, 'zh-TW': zhTw, kk, de, it, hr, cs, hu, pl, pt, ro, ja, nl, bg, ru,
}

export const pageTexts = (language: string): PageTexts => textsByCode[languageOf(language)]

/** What a payer is told who may try once more. */
export function declineText(cause: DeclineCause, language: string): string {
  const { declined, otherCard, authentication, technical, late } = pageTexts(language)
  const texts: Readonly<Record<DeclineCause, string>> = {
    general: declined,
    otherCard,
    authentication,
    technical,
    late,
  }
  return texts[cause]
}
