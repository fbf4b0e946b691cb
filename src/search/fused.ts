import { Prisma } from '../store/prisma/client.ts'
import { type Vector, vectorLiteral } from './embedder.ts'
import { anyOf } from './words.ts'

/** What is looked for: words of `Words.query`, a vector, or both. */
export interface Question {
  readonly words: readonly string[]
  readonly vector?: Vector
  /** The embedder that made the vector; vectors of others are not compared with it. */
  readonly embeddingModel: string
}

/** One text of the scope that has a word of the question, or a vector. */
export interface Match {
  readonly id: string
  /** BM25 within the scope; 0 without a common word. */
  readonly wordScore: number
  /** How much of the question's words, weighted by their rarity, the text has: 0 to 1. */
  readonly coverage: number
  /** Cosine similarity, -1 to 1; absent without a comparable vector. */
  readonly similarity?: number
}

/** A match with its place between the worst (0) and the best (1) of its scope. */
export interface Ranked extends Match {
  readonly relevance: number
}

/** How much words and vectors count. They need not add up to 1. */
export interface FusionWeights {
  readonly words: number
  readonly vectors: number
}

/** Measured best on long conversations: words lead, vectors add what is said in other words. */
const fusionWeights: FusionWeights = { words: 0.6, vectors: 0.4 }

/** A row of `matchesIn`. */
export interface MatchRow {
  readonly id: string
  readonly word_score: number | null
  readonly coverage: number | null
  readonly similarity: number | null
}

// The usual constants of BM25: how soon repeating a word stops to count, and how much length counts.
const saturation = 1.2
const lengthPull = 0.75

/**
 * The query for the texts of a scope that match best by words or by vector, in no particular order.
 * @param scope a SELECT of `id`, `words`, `embedding` and `embedding_model` that holds every access rule:
 *   nothing outside of it is read, also not for the rarity of words
 * @param depth how many of the best by each kind come back
 */
export function matchesIn(scope: Prisma.Sql, question: Question, depth: number): Prisma.Sql {
  const words = anyOf(question.words) ?? ''
  const vector = question.vector ? vectorLiteral(question.vector) : null
  // A statistic over the scope's own matches is exact: a text that has a word of the question is a match.
  return Prisma.sql`
    WITH scope AS MATERIALIZED (
      -- The vectors themselves stay behind: they are 2 KB each, their distance is a number.
      SELECT id, words, CASE WHEN ${vector}::text IS NOT NULL AND embedding_model = ${question.embeddingModel}
        THEN (1 - (embedding <=> ${vector}::vector))::float8 END AS similarity
      FROM (${scope}) AS allowed
    ),
    size AS (SELECT count(*)::float8 AS texts, greatest(avg(length(words)), 1)::float8 AS mean FROM scope),
    hit AS (
      SELECT scope.id, length(scope.words)::float8 AS length, entry.lexeme,
        coalesce(cardinality(entry.positions), 1)::float8 AS times
      FROM scope CROSS JOIN LATERAL unnest(scope.words) AS entry
      WHERE scope.words @@ ${words}::tsquery AND entry.lexeme = ANY (${[...question.words]}::text[])
    ),
    term AS (
      SELECT asked.lexeme, ln(1 + (size.texts - count(hit.id) + 0.5) / (count(hit.id) + 0.5)) AS weight
      FROM unnest(${[...question.words]}::text[]) AS asked (lexeme)
      LEFT JOIN hit ON hit.lexeme = asked.lexeme CROSS JOIN size
      GROUP BY asked.lexeme, size.texts
    ),
    worded AS (
      SELECT hit.id,
        sum(term.weight * hit.times * ${saturation + 1}::float8
          / (hit.times + ${saturation}::float8 * (1 - ${lengthPull}::float8 + ${lengthPull}::float8 * hit.length / size.mean))
        )::float8 AS word_score,
        (sum(term.weight) / (SELECT sum(weight) FROM term))::float8 AS coverage
      FROM hit JOIN term ON term.lexeme = hit.lexeme CROSS JOIN size
      GROUP BY hit.id
    ),
    matched AS (
      SELECT id, word_score, coverage, similarity,
        row_number() OVER (ORDER BY word_score DESC NULLS LAST) AS by_words,
        row_number() OVER (ORDER BY similarity DESC NULLS LAST) AS by_similarity,
        row_number() OVER (ORDER BY similarity ASC NULLS LAST) AS by_distance
      FROM scope LEFT JOIN worded USING (id)
      WHERE word_score IS NOT NULL OR similarity IS NOT NULL
    )
    SELECT id, word_score, coverage, similarity
    FROM matched
    WHERE (by_words <= ${depth} AND word_score IS NOT NULL)
      OR (by_similarity <= ${depth} AND similarity IS NOT NULL)
      -- The farthest too, so that similarities are measured on the whole scope.
      OR (by_distance = 1 AND similarity IS NOT NULL)`
}

/** The rows of `matchesIn` as matches. */
export function readMatches(rows: readonly MatchRow[]): Match[] {
  return rows.map((row) => ({
    id: row.id,
    wordScore: row.word_score ?? 0,
    coverage: row.coverage ?? 0,
    ...(row.similarity === null || Number.isNaN(row.similarity) ? {} : { similarity: row.similarity }),
  }))
}

/**
 * Puts words and vectors on one scale and adds them up by weight, the best first. Each score is measured
 * between the lowest and the highest of the scope, so that neither kind's own range decides.
 */
export function fuse(matches: readonly Match[], weights: FusionWeights = fusionWeights): Ranked[] {
  const highest = Math.max(0, ...matches.map((match) => match.wordScore))
  const similarities = matches.flatMap((match) => match.similarity ?? [])
  const nearest = Math.max(...similarities)
  const farthest = Math.min(...similarities)
  const wordWeight = highest > 0 ? weights.words : 0
  const vectorWeight = similarities.length > 0 ? weights.vectors : 0
  const total = wordWeight + vectorWeight
  return matches
    .map((match) => {
      const byWords = highest > 0 ? match.wordScore / highest : 0
      const byVector =
        match.similarity === undefined
          ? 0
          : nearest > farthest
            ? (match.similarity - farthest) / (nearest - farthest)
            : 1
      return { ...match, relevance: total > 0 ? (wordWeight * byWords + vectorWeight * byVector) / total : 0 }
    })
    .sort((a, b) => b.relevance - a.relevance || (a.id < b.id ? 1 : -1))
}
