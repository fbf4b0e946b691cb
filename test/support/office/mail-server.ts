import { z } from 'zod'
import { type OfficeServer, serveOffice } from './http.ts'

/** A mail that was sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** A stand-in for a company's mail, as an MCP server over HTTP. */
export interface MailServer extends OfficeServer {
  /** What was sent, oldest first. */
  readonly sent: readonly Mail[]
}

/** Starts one on loopback. Sending is no read, so Hermes has to ask before it. */
export async function startMailServer(): Promise<MailServer> {
  const sent: Mail[] = []
  const served = await serveOffice('mail', (server) => {
    server.registerTool(
      'send_mail',
      {
        title: 'Send mail',
        description: 'Sends a mail to a person. 给某人发邮件。',
        inputSchema: { to: z.string(), subject: z.string(), text: z.string() },
      },
      (mail) => {
        sent.push(mail)
        return { content: [{ type: 'text', text: JSON.stringify({ sent: true, to: mail.to }) }] }
      },
    )
  })
  return { ...served, sent }
}
