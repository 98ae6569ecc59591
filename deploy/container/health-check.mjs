/** For the HEALTHCHECK of the image: status 0 while the process of this container can write payments, or its worker runs. */
const { WORKER_PORT, PORT = '8080' } = process.env
const isServing = await fetch(`http://127.0.0.1:${WORKER_PORT || PORT}/service/health`).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isServing ? 0 : 1)
