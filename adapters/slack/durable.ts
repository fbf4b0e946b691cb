import type { App, ReceiverEvent } from '@slack/bolt'

/**
 * The app as a receiver sees it: an event is acknowledged only once every listener is done, since Bolt itself
 * acknowledges events before it runs any. A rejection means that nothing was committed, so that Slack delivers
 * again. Interactions are acknowledged by their listeners.
 */
export function afterCommit(app: App): App {
  return Object.create(app, {
    processEvent: {
      value: async (event: ReceiverEvent): Promise<void> => {
        if (event.body.type !== 'event_callback') return app.processEvent(event)
        await app.processEvent({ ...event, ack: async () => {} })
        await event.ack()
      },
    },
  })
}
