/**
 * The most frequent words in published lists of stolen passwords. They are searched anywhere in a password, also with digits in
 * place of letters, so that a short list covers thousands of variants.
 */
export const commonWords: readonly string[] = `
  password passwort passwd motdepasse contrasena contraseña senha parola heslo haslo wachtwoord пароль
  welcome willkommen bienvenue bienvenido letmein letmeinnow changeme changeit default secret geheim login logon access signin
  admin administrator root superuser operator support service system server master manager test testing demo guest user owner
  gatehouse payment payments merchant checkout company office business
  qwerty qwertz azerty asdfgh zxcvbn qazwsx 1qaz2wsx qweasd
  iloveyou ilove loveyou forever princess sunshine sweetheart angel family freedom friends whatever nothing something
  monkey dragon tiger eagle falcon shadow hunter ranger killer batman superman spiderman pokemon starwars matrix ninja samurai
  football baseball basketball hockey soccer liverpool arsenal chelsea barcelona juventus realmadrid yankees
  michael jennifer jordan michelle charlie andrew daniel joshua thomas robert jessica ashley nicole matthew anthony
  summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday
  january february march april june july august september october november december
  google facebook microsoft windows internet computer samsung iphone android
  trustno1 abc123 correcthorsebatterystaple hello hallo bonjour computer cheese cookie banana orange purple yellow
  mustang ferrari porsche mercedes corvette harley
`
  .trim()
  .split(/\s+/)
