import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { JsonSchema } from './schema.ts'

/**
 * A validator as the SDK has it (1.32), which by itself writes on the console of each format that it does not know.
 * One per schema: Ajv keeps schemas by their `$id`, and would go on with an old one after a change.
 */
export function validatorOf(schema: JsonSchema): ReturnType<AjvJsonSchemaValidator['getValidator']> {
  const ajv = new Ajv({
    strict: false,
    validateFormats: true,
    validateSchema: false,
    allErrors: true,
    logger: false,
  })
  addFormats.default(ajv)
  return new AjvJsonSchemaValidator(ajv).getValidator(schema)
}
