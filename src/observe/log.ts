import pino from 'pino'
import { redact, redactText } from './redact.ts'

/** Structured logging: facts first, then a sentence. Secrets are replaced before a line is written. */
export interface Log {
  debug(facts: object, sentence: string): void
  info(facts: object, sentence: string): void
  warn(facts: object, sentence: string): void
  error(facts: object, sentence: string): void
  /** The same log with facts that every line of it carries. */
  child(facts: object): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Writes JSON lines to standard error, so that standard output stays for what a command prints. */
export function createLog(
  level: LogLevel,
  destination: pino.DestinationStream = pino.destination({ fd: 2, sync: true }),
): Log {
  const write = pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  return wrap(write)
}

function wrap(write: pino.Logger): Log {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (facts: object, sentence: string) => {
    if (write.isLevelEnabled(level)) write[level](redact(facts), redactText(sentence))
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (facts) => wrap(write.child(redact(facts) as object)),
  }
}

/** A log that drops everything. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
}
