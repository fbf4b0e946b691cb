import type { Method } from './api.ts'
import { chatMethods } from './chat.ts'
import { directoryMethods } from './directory.ts'
import { fileMethods } from './files.ts'
import { streamMethods } from './streams.ts'
import { viewMethods } from './views.ts'

/** Every method of the Web API that the stand-in knows, but `apps.connections.open`. */
export const methods: Readonly<Record<string, Method>> = {
  ...directoryMethods,
  ...chatMethods,
  ...streamMethods,
  ...viewMethods,
  ...fileMethods,
}
