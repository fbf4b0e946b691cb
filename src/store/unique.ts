import { codeOf } from '../base/errors.ts'
import { Prisma } from './prisma/client.ts'

/** Did a statement fail on a unique key? */
export function isUniqueViolation(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    return error.code === 'P2002' || JSON.stringify(error.meta ?? {}).includes('23505')
  }
  return codeOf(error) === '23505'
}
