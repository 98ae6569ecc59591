/** The texts of the fields. One file contains all 21 languages, because a frame loads nothing else. */
import { type LanguageCode, languages } from '#domain/place/language.ts'
import type { FieldName } from './messages.ts'

export interface FieldTexts {
  readonly label: Readonly<Record<FieldName, string>>
  readonly wrong: Readonly<Record<FieldName, string>>
  readonly notSent: string
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
}

export function textsIn(code: LanguageCode): FieldTexts {
  const [card, expiry, cvv, wrongCard, wrongExpiry, wrongCode, notSent] = table[code]
  const { tag, direction } = languages.find((language) => language.code === code) ?? { tag: 'en', direction: 'ltr' }
  return {
    label: { card, expiry, cvv },
    wrong: { card: wrongCard, expiry: wrongExpiry, cvv: wrongCode },
    notSent,
    tag,
    direction,
  }
}

type Row = readonly [
  card: string,
  expiry: string,
  cvv: string,
  wrongCard: string,
  wrongExpiry: string,
  wrongCode: string,
  notSent: string,
]

// biome-ignore format: a table is read in columns.
const table: Readonly<Record<LanguageCode, Row>> = {
  en: [
    'Card number', 'Expiry date, month and year', 'Security code',
    'Invalid card number', 'The expiration date is not valid', 'Invalid security code',
    'The card data could not be sent. Please try again.',
  ],
  sp: [
    'Número de tarjeta', 'Fecha de caducidad, mes y año', 'Código de seguridad',
    'El número de tarjeta no es válido', 'La fecha de caducidad no es válida', 'El código de seguridad no es válido',
    'No se pudieron enviar los datos de la tarjeta. Inténtelo de nuevo.',
  ],
  ar: [
    'رقم البطاقة', 'تاريخ الانتهاء، الشهر والسنة', 'رمز الأمان',
    'رقم البطاقة غير صالح', 'تاريخ الانتهاء غير صالح', 'رمز الأمان غير صالح',
    'تعذّر إرسال بيانات البطاقة. يُرجى المحاولة مرة أخرى.',
  ],
  az: [
    'Kart nömrəsi', 'Bitmə tarixi, ay və il', 'Təhlükəsizlik kodu',
    'Kart nömrəsi yanlışdır', 'Bitmə tarixi yanlışdır', 'Təhlükəsizlik kodu yanlışdır',
    'Kart məlumatları göndərilmədi. Yenidən cəhd edin.',
  ],
  fr: [
    'Numéro de carte', 'Date d’expiration, mois et année', 'Code de sécurité',
    'Le numéro de carte n’est pas valide', 'La date d’expiration n’est pas valide', 'Le code de sécurité n’est pas valide',
    'Les données de la carte n’ont pas pu être envoyées. Veuillez réessayer.',
  ],
  nb: [
    'Kortnummer', 'Utløpsdato, måned og år', 'Sikkerhetskode',
    'Kortnummeret er ugyldig', 'Utløpsdatoen er ugyldig', 'Sikkerhetskoden er ugyldig',
    'Kortopplysningene kunne ikke sendes. Prøv igjen.',
  ],
  zh: [
    '卡号', '有效期（月和年）', '安全码',
    '卡号无效', '有效期无效', '安全码无效',
    '无法发送卡片信息，请重试。',
  ],
  'zh-TW': [
    '卡號', '有效期限（月和年）', '安全碼',
    '卡號無效', '有效期限無效', '安全碼無效',
    '無法傳送卡片資料，請再試一次。',
  ],
  kk: [
    'Карта нөмірі', 'Жарамдылық мерзімі, ай және жыл', 'Қауіпсіздік коды',
    'Карта нөмірі қате', 'Жарамдылық мерзімі қате', 'Қауіпсіздік коды қате',
    'Карта деректері жіберілмеді. Қайталап көріңіз.',
  ],
  de: [
    'Kartennummer', 'Ablaufdatum, Monat und Jahr', 'Prüfnummer',
    'Die Kartennummer ist ungültig', 'Das Ablaufdatum ist ungültig', 'Die Prüfnummer ist ungültig',
    'Die Kartendaten konnten nicht gesendet werden. Bitte versuchen Sie es erneut.',
  ],
  it: [
    'Numero della carta', 'Data di scadenza, mese e anno', 'Codice di sicurezza',
    'Il numero della carta non è valido', 'La data di scadenza non è valida', 'Il codice di sicurezza non è valido',
    'Non è stato possibile inviare i dati della carta. Riprova.',
  ],
  hr: [
    'Broj kartice', 'Datum isteka, mjesec i godina', 'Sigurnosni kod',
    'Broj kartice nije valjan', 'Datum isteka nije valjan', 'Sigurnosni kod nije valjan',
    'Podaci kartice nisu poslani. Pokušajte ponovno.',
  ],
  cs: [
    'Číslo karty', 'Datum konce platnosti, měsíc a rok', 'Bezpečnostní kód',
    'Číslo karty není platné', 'Datum konce platnosti není platné', 'Bezpečnostní kód není platný',
    'Údaje o kartě se nepodařilo odeslat. Zkuste to znovu.',
  ],
  hu: [
    'Kártyaszám', 'Lejárati dátum, hónap és év', 'Biztonsági kód',
    'A kártyaszám érvénytelen', 'A lejárati dátum érvénytelen', 'A biztonsági kód érvénytelen',
    'A kártyaadatokat nem sikerült elküldeni. Kérjük, próbálja újra.',
  ],
  pl: [
    'Numer karty', 'Data ważności, miesiąc i rok', 'Kod zabezpieczający',
    'Numer karty jest nieprawidłowy', 'Data ważności jest nieprawidłowa', 'Kod zabezpieczający jest nieprawidłowy',
    'Nie udało się wysłać danych karty. Spróbuj ponownie.',
  ],
  pt: [
    'Número do cartão', 'Data de validade, mês e ano', 'Código de segurança',
    'O número do cartão não é válido', 'A data de validade não é válida', 'O código de segurança não é válido',
    'Não foi possível enviar os dados do cartão. Tente novamente.',
  ],
  ro: [
    'Numărul cardului', 'Data expirării, luna și anul', 'Codul de securitate',
    'Numărul cardului nu este valid', 'Data expirării nu este validă', 'Codul de securitate nu este valid',
    'Datele cardului nu au putut fi trimise. Încercați din nou.',
  ],
  ja: [
    'カード番号', '有効期限（月と年）', 'セキュリティコード',
    'カード番号が正しくありません', '有効期限が正しくありません', 'セキュリティコードが正しくありません',
    'カード情報を送信できませんでした。もう一度お試しください。',
  ],
  nl: [
    'Kaartnummer', 'Vervaldatum, maand en jaar', 'Beveiligingscode',
    'Het kaartnummer is ongeldig', 'De vervaldatum is ongeldig', 'De beveiligingscode is ongeldig',
    'De kaartgegevens konden niet worden verzonden. Probeer het opnieuw.',
  ],
  bg: [
    'Номер на картата', 'Срок на валидност, месец и година', 'Код за сигурност',
    'Номерът на картата е невалиден', 'Срокът на валидност е невалиден', 'Кодът за сигурност е невалиден',
    'Данните на картата не бяха изпратени. Опитайте отново.',
  ],
  ru: [
    'Номер карты', 'Срок действия, месяц и год', 'Код безопасности',
    'Неверный номер карты', 'Неверный срок действия', 'Неверный код безопасности',
    'Не удалось отправить данные карты. Повторите попытку.',
  ],
}
