/**
 * Asks for several things with a few in the air at a time and hands the answers over in the order of the questions. The
 * first failure ends it: later answers are not handed over, since that would leave a hole.
 */
export async function inOrder<Question, Answer>(
  questions: readonly Question[],
  inTheAir: number,
  ask: (question: Question) => Promise<Answer>,
  take: (answer: Answer, index: number) => Promise<void> | void,
): Promise<void> {
  const flights: Promise<Answer>[] = [];
  for (let index = 0; index < questions.length; index += 1) {
    const window = questions.slice(flights.length, index + inTheAir);
    for (const question of window) {
      const flight = ask(question);
      // Rejections are met below, in order; until then they must not count as unhandled.
      flight.catch(() => undefined);
      flights.push(flight);
    }
    const flight = flights[index];
    if (flight !== undefined) await take(await flight, index);
  }
}
