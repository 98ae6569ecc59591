/** The numbers by which hosts know requests. A host that meets a number again takes the request for a repetition of the first one. */
export interface TraceNumbers {
  /** False if another transaction has reserved the number. The same transaction may reserve it any number of times. */
  reserve(key: string, transactionId: string): Promise<boolean>
}
