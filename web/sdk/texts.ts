/** The few texts that the SDK itself shows. The form provides all others. */
import { type LanguageCode, languageOf } from '#domain/place/language.ts'

interface SdkTexts {
  /** The label of the link that opens the next page. */
  readonly open: string
  /** Shown beside the link, and after it was pressed. */
  readonly goOn: string
  readonly resultUnknown: string
}

export function textsIn(language: string): SdkTexts {
  const [open, goOn, resultUnknown] = table[languageOf(language)]
  return { open, goOn, resultUnknown }
}

// biome-ignore format: a table is read in columns.
const table: Readonly<Record<LanguageCode, readonly [open: string, goOn: string, resultUnknown: string]>> = {
  // code    open              go on                                          result unknown
  en:       ['Continue',       'Please continue in the new window.',          'We could not confirm the result yet. Please do not pay again.'],
  sp:       ['Continuar',      'Continúe en la ventana nueva.',               'Todavía no hemos podido confirmar el resultado. No vuelva a pagar, por favor.'],
  ar:       ['متابعة',         'يُرجى المتابعة في النافذة الجديدة.',          'لم نتمكن من تأكيد النتيجة بعد. يُرجى عدم الدفع مرة أخرى.'],
  az:       ['Davam et',       'Zəhmət olmasa, yeni pəncərədə davam edin.',   'Nəticəni hələ təsdiqləyə bilmədik. Zəhmət olmasa, yenidən ödəniş etməyin.'],
  fr:       ['Continuer',      'Veuillez continuer dans la nouvelle fenêtre.', 'Nous n’avons pas encore pu confirmer le résultat. Veuillez ne pas payer une seconde fois.'],
  nb:       ['Fortsett',       'Fortsett i det nye vinduet.',                 'Vi har ikke kunnet bekrefte resultatet ennå. Ikke betal på nytt.'],
  zh:       ['继续',             '请在新窗口中继续。',                                   '我们暂时无法确认结果，请勿重复付款。'],
  'zh-TW':  ['繼續',             '請在新視窗中繼續。',                                   '我們暫時無法確認結果，請勿重複付款。'],
  kk:       ['Жалғастыру',     'Жаңа терезеде жалғастырыңыз.',                'Нәтижені әзірге растай алмадық. Қайта төлемеңіз.'],
  de:       ['Weiter',         'Bitte fahren Sie im neuen Fenster fort.',     'Wir konnten das Ergebnis noch nicht bestätigen. Bitte zahlen Sie nicht noch einmal.'],
  it:       ['Continua',       'Continua nella nuova finestra.',              'Non abbiamo ancora potuto confermare l’esito. Non pagare di nuovo.'],
  hr:       ['Nastavi',        'Nastavite u novom prozoru.',                  'Još nismo mogli potvrditi ishod. Nemojte ponovno platiti.'],
  cs:       ['Pokračovat',     'Pokračujte prosím v novém okně.',             'Výsledek se zatím nepodařilo potvrdit. Neplaťte prosím znovu.'],
  hu:       ['Tovább',         'Kérjük, folytassa az új ablakban.',           'Az eredményt még nem tudtuk megerősíteni. Kérjük, ne fizessen újra.'],
  pl:       ['Dalej',          'Kontynuuj w nowym oknie.',                    'Nie udało się jeszcze potwierdzić wyniku. Prosimy nie płacić ponownie.'],
  pt:       ['Continuar',      'Continue na nova janela.',                    'Ainda não foi possível confirmar o resultado. Não pague novamente.'],
  ro:       ['Continuați',     'Vă rugăm să continuați în fereastra nouă.',   'Nu am putut confirma încă rezultatul. Vă rugăm să nu plătiți din nou.'],
  ja:       ['続ける',            '新しいウィンドウで続けてください。',                           'まだ結果を確認できていません。もう一度お支払いにならないでください。'],
  nl:       ['Doorgaan',       'Ga verder in het nieuwe venster.',            'We konden het resultaat nog niet bevestigen. Betaal niet opnieuw.'],
  bg:       ['Продължаване',   'Моля, продължете в новия прозорец.',          'Все още не можем да потвърдим резултата. Моля, не плащайте отново.'],
  ru:       ['Продолжить',     'Продолжите в новом окне.',                    'Пока не удалось подтвердить результат. Пожалуйста, не платите повторно.'],
}
