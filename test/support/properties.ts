import process from 'node:process'
import fc from 'fast-check'

// The same cases in every run, so that a failure is of the change at hand; HERMES_PROPERTY_SEED looks further.
fc.configureGlobal({ seed: Number(process.env.HERMES_PROPERTY_SEED ?? 20261130) })

export default fc
