// Tools of external systems as their MCP servers describe them, for the measure of what is offered.

import { externalTool } from '../../src/tools/external.ts'
import type { Tool } from '../../src/tools/tool.ts'

/** By server: name, `!` before it where it changes something, and what it is described with. */
export const servers: Readonly<Record<string, readonly string[]>> = {
  documents: [
    'search_files: Recursively search for files and directories matching a pattern.',
    'read_text_file: Read the complete contents of a file from the file system as text.',
    '!write_file: Create a new file or completely overwrite an existing file with new content.',
    '!move_file: Move or rename files and directories.',
    'list_directory: Get a detailed listing of all files and directories in a specified path.',
  ],
  github: [
    'search_repositories: Search for repositories on GitHub by keywords.',
    'list_pull_requests: List the pull requests of a repository, open or closed.',
    'get_pull_request: Get a pull request with its diff, reviews and checks.',
    '!create_pull_request: Open a new pull request from a branch.',
    '!merge_pull_request: Merge a pull request into its base branch.',
    'list_commits: List the commits of a branch of a repository.',
    'search_code: Search source code in repositories for a text.',
    '!create_branch: Create a new branch in a repository.',
  ],
  ci: [
    'list_builds: List the latest builds of a pipeline and whether they passed.',
    'get_build_log: Get the log of a build, to see why it failed.',
    '!trigger_build: Start a build of a pipeline on a branch.',
    '!deploy_release: Deploy a release to an environment such as staging or production.',
    '!rollback_release: Roll back an environment to the release before.',
  ],
  calendar: [
    'list_events: List the events of a calendar in a range of dates.',
    'find_free_time: Find times at which all of several people are free for a meeting.',
    '!create_event: Create a calendar event and invite people to the meeting.',
    '!update_event: Change the time, place or guests of a calendar event.',
    '!cancel_event: Cancel a calendar event and tell its guests.',
  ],
  mail: [
    'search_mail: Search the mailbox for e-mails by sender, subject or words.',
    'read_mail: Read an e-mail with its attachments.',
    '!send_mail: Send an e-mail to one or several addresses.',
    '!archive_mail: Archive an e-mail, or move it to a folder.',
  ],
  crm: [
    'search_customers: Search customers by name, company or city.',
    'get_customer: Get a customer with contacts, contracts and history.',
    '!update_customer: Update the address, phone or owner of a customer.',
    'list_deals: List the deals of the sales pipeline by stage and owner.',
    '!create_deal: Create a new deal for a customer.',
    '!add_note: Add a note to a customer or a deal.',
  ],
  shop: [
    'search_products: Search the catalogue of products by name, brand or category.',
    'get_order: Get one order with its items, payment and shipment.',
    'list_orders: List the orders of a customer or of a range of dates.',
    '!refund_order: Refund an order, in full or in part.',
    '!cancel_order: Cancel an order that was not shipped yet.',
    'track_shipment: Track where a parcel is and when it will be delivered.',
    'get_stock: Get how many pieces of a product are in stock, by warehouse.',
    '!reorder_stock: Order more pieces of a product from its supplier.',
  ],
  finance: [
    'list_invoices: List invoices by customer, date and whether they are paid.',
    '!create_invoice: Create an invoice for a customer and send it.',
    '!file_expense: File an expense claim for reimbursement, with amount and receipt.',
    'get_expense: Get the status of an expense claim.',
    'get_budget: Get the budget of a department and what is left of it.',
    'exchange_rate: Get the exchange rate between two currencies.',
  ],
  hr: [
    'find_employee: Find an employee by name, team or skill, with phone and office.',
    'get_leave_balance: Get how many days of vacation an employee has left.',
    '!request_leave: Request vacation or sick leave for an employee.',
    'list_absences: List who is absent, on vacation or ill, in a range of dates.',
    'get_org_chart: Get the teams of the organisation and who manages whom.',
    'get_payslip: Get the payslip of an employee for a month.',
  ],
  wiki: [
    'search_pages: Search the wiki for pages by words.',
    'read_page: Read a page of the wiki.',
    '!edit_page: Edit a page of the wiki.',
  ],
  monitoring: [
    'list_alerts: List the alerts that are firing, by service and severity.',
    'query_metrics: Query a metric such as latency, errors or CPU over time.',
    '!silence_alert: Silence an alert for some hours.',
    'search_logs: Search the logs of a service for a text or a level.',
  ],
  kubernetes: [
    'list_pods: List the pods of a namespace with their status and restarts.',
    '!restart_deployment: Restart a deployment.',
    '!scale_deployment: Scale a deployment to a number of replicas.',
  ],
  database: [
    'run_query: Run a read-only SQL query on the data warehouse.',
    'list_tables: List the tables of a database with their columns.',
  ],
  travel: [
    'search_flights: Search flights between two cities on a date.',
    'search_hotels: Search hotels in a city for some nights.',
    '!book_trip: Book a flight or a hotel for an employee.',
    'get_weather: Get the weather forecast of a city.',
    'find_route: Find the route and the travel time between two places.',
  ],
  office: [
    'list_rooms: List the meeting rooms with their seats and equipment.',
    '!book_room: Book a meeting room for a time.',
    'get_menu: Get the lunch menu of the canteen.',
    '!register_visitor: Register a visitor at the reception.',
    '!order_supplies: Order office supplies such as paper, pens and chairs.',
  ],
  media: [
    'translate_text: Translate a text from one language into another.',
    '!generate_image: Generate an image from a description.',
    'transcribe_audio: Transcribe a recording of speech into text.',
  ],
  forms: [
    '!create_survey: Create a survey with questions for a group of people.',
    'get_survey_results: Get the results of a survey.',
  ],
  legal: [
    'search_contracts: Search contracts by partner, subject or the date of their end.',
    'get_contract: Get a contract with its partner, term and notice period.',
    '!request_signature: Send a contract to somebody for signature.',
  ],
}

/** All of them, as Hermes knows external tools. */
export function externalCatalogue(): readonly Tool[] {
  return Object.entries(servers).flatMap(([server, lines]) =>
    lines.map((line) => {
      const [, write, name = '', description = ''] = /^(!?)(\w+): (.*)$/.exec(line)!
      return externalTool({
        name: `mcp__${server}__${name}`,
        title: name,
        server,
        description,
        effect: write ? 'write' : 'read',
        idempotent: !write,
        timeoutMs: 10_000,
        longestMs: 10_000,
        readyMs: 0,
        parameters: {
          type: 'object',
          properties: { query: { type: 'string', description: 'What is wanted, in words' } },
          required: [],
        },
        definitionHash: name,
        target: '',
        check: (args) => ({ args, problems: [] }),
        call: async () => ({ content: '' }),
      })
    }),
  )
}
