/** For the HEALTHCHECK of the image: status 0 while the process of this container can write payments, or its worker runs. */
const { WORKER_PORT, PORT = '8080' } = process.env
/** Less than the time that HEALTHCHECK gives it. */
const patienceMs = 3000
const isServing = await fetch(`http://127.0.0.1:${WORKER_PORT || PORT}/service/health`, {
  signal: AbortSignal.timeout(patienceMs),
}).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isServing ? 0 : 1)
