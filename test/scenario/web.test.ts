import { webDriver } from '../contract/web-driver.ts'
import { founding } from './founding.ts'

founding('the web chat, without any language model', {
  model: 'offline',
  tellsTimeZone: true,
  open: async () => ({ variables: {}, driver: (app) => webDriver(app) }),
})
