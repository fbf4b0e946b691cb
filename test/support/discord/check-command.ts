import { Form } from './form.ts'

/** An application command or one of its options, as sent. */
export interface CommandBody {
  readonly name?: string
  readonly description?: string
  readonly type?: number
  readonly required?: boolean
  readonly options?: readonly CommandBody[]
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[]
  readonly contexts?: readonly number[] | null
}

const commandName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

/** Refuses a list of commands as Discord would. */
export function checkCommands(commands: readonly CommandBody[]): void {
  const form = new Form()
  const names = new Set<string>()
  for (const [index, command] of commands.entries()) {
    if (command.name !== undefined && names.has(command.name)) {
      form.add(
        [index, 'name'],
        'APPLICATION_COMMANDS_DUPLICATE_NAME',
        'Application command names must be unique',
      )
    }
    names.add(command.name ?? '')
    checkCommand(form, [index], command)
  }
  form.refuse()
}

function checkCommand(form: Form, path: readonly (string | number)[], command: CommandBody): void {
  const name = command.name ?? ''
  if (!commandName.test(name) || name !== name.toLowerCase()) {
    form.add([...path, 'name'], 'STRING_TYPE_REGEX', 'String value did not match validation regex.')
  }
  form.text([...path, 'description'], command.description, { min: 1, max: 100 })
  const options = command.options ?? []
  form.size([...path, 'options'], options, { max: 25 })
  let optional = false
  for (const [index, option] of options.entries()) {
    checkCommand(form, [...path, 'options', index], option)
    form.size([...path, 'options', index, 'choices'], option.choices ?? [], { max: 25 })
    if (option.required && optional) {
      form.add(
        [...path, 'options', index],
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        'Required options must be placed before non-required options',
      )
    }
    optional ||= !option.required
  }
}
