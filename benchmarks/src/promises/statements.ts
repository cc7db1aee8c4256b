import {
  costBounds,
  isWithinBounds,
  measureOperationCosts,
  statementCount,
} from '@registrar/e2e/operation-costs';
import { table } from '../table.ts';
import type { PromiseResult } from './report.ts';

/** The most characters of a statement that are printed. */
const shownCharacters = 150;

/** Prints the statements and messages of one request of each main operation, and compares their numbers with the bounds. */
export async function measureStatements(say: (text: string) => void): Promise<PromiseResult[]> {
  const costs = await measureOperationCosts();
  for (const { operation, transactions, messages } of costs) {
    say(`\n${operation}`);
    for (const message of messages) say(`  ${message}`);
    for (const { app, statements } of transactions) {
      for (const [place, text] of statements.entries()) {
        const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
        say(`  ${place === 0 ? app.padEnd(10) : ' '.repeat(10)} ${shown}`);
      }
    }
  }
  const rows = costs.map((cost) => {
    const { operation, transactions, messages } = cost;
    return [operation, statementCount(cost), transactions.length, messages.length].map(String);
  });
  say(table([['one request', 'statements', 'transactions', 'messages'], ...rows]));
  return costs.map((cost) => {
    const { operation, transactions, messages } = cost;
    const most = costBounds[operation] ?? { statements: 0, transactions: 0, messages: 0 };
    const statements = statementCount(cost);
    return {
      promise: `${operation}: at most ${most.statements} statements in ${most.transactions} transactions, ${most.messages} messages`,
      measured: `${statements} in ${transactions.length}, ${messages.length}`,
      kept: isWithinBounds(cost),
    };
  });
}
