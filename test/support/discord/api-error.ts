/** An error answer of Discord's API: HTTP status, its own code and sentence, and the form's errors by path. */
export class ApiError extends Error {
  readonly status: number
  readonly code: number
  readonly errors: object | undefined
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: number,
    message: string,
    more: { errors?: object; extra?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.errors = more.errors
    this.extra = more.extra ?? {}
    this.headers = more.headers ?? {}
  }

  /** The body as Discord writes it. */
  body(): object {
    return {
      message: this.message,
      code: this.code,
      ...(this.errors ? { errors: this.errors } : {}),
      ...this.extra,
    }
  }
}

/** The refusals that a bot meets, in Discord's words. */
export const refusals = {
  unauthorized: () => new ApiError(401, 0, '401: Unauthorized'),
  notFound: () => new ApiError(404, 0, '404: Not Found'),
  unknownChannel: () => new ApiError(404, 10003, 'Unknown Channel'),
  unknownMessage: () => new ApiError(404, 10008, 'Unknown Message'),
  unknownMember: () => new ApiError(404, 10007, 'Unknown Member'),
  unknownUser: () => new ApiError(404, 10013, 'Unknown User'),
  unknownGuild: () => new ApiError(404, 10004, 'Unknown Guild'),
  unknownWebhook: () => new ApiError(404, 10015, 'Unknown Webhook'),
  unknownInteraction: () => new ApiError(404, 10062, 'Unknown interaction'),
  alreadyAcknowledged: () => new ApiError(400, 40060, 'Interaction has already been acknowledged.'),
  missingAccess: () => new ApiError(403, 50001, 'Missing Access'),
  missingPermissions: () => new ApiError(403, 50013, 'Missing Permissions'),
  cannotEditOthers: () => new ApiError(403, 50005, 'Cannot edit a message authored by another user'),
  emptyMessage: () => new ApiError(400, 50006, 'Cannot send an empty message'),
  cannotMessageUser: () => new ApiError(403, 50007, 'Cannot send messages to this user'),
  wrongChannelType: () => new ApiError(400, 50024, 'Cannot execute action on this channel type'),
  invalidWebhookToken: () => new ApiError(401, 50027, 'Invalid Webhook Token'),
  archivedThread: () =>
    new ApiError(
      400,
      50083,
      'Tried to perform an operation on an archived thread, such as editing a message or adding a user to the thread',
    ),
  threadExists: () => new ApiError(400, 160004, 'A thread has already been created for this message'),
  threadLocked: () => new ApiError(400, 160005, 'Thread is locked'),
  tooManyThreads: () => new ApiError(400, 160006, 'Maximum number of active threads reached'),
  tooLarge: () => new ApiError(413, 40005, 'Request entity too large'),
  /** The cap on edits of messages older than an hour; a 429 that is no ordinary rate limit. */
  oldEdits: () =>
    new ApiError(
      429,
      30046,
      'Maximum number of edits to messages older than 1 hour reached. Try again later',
      { extra: { retry_after: 20, global: false }, headers: { 'Retry-After': '20' } },
    ),
} as const
