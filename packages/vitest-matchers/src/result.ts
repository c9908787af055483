/** What a matcher answers. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}
