// Waits until a Redis answers at an address, for at most 5 seconds.
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'

const [url] = process.argv.slice(2)
const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
redis.on('error', () => {})
let answer
for (let attempt = 0; attempt < 25 && answer !== 'PONG'; attempt += 1) {
  if (attempt > 0) await delay(200)
  answer = await redis
    .connect()
    .then(() => redis.ping())
    .catch((error) => error.message)
}
redis.disconnect()
if (answer !== 'PONG') {
  console.log(`No Redis answers at ${url} (${answer}): its tests are left out.`)
  process.exitCode = 1
}
