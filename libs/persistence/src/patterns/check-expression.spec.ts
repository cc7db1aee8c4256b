import { describe, expect, it } from '@jest/globals';
import { checkExpression } from './check-expression.ts';

describe('the check of a regular expression', () => {
  it.each([
    ['^first-aid', 'text'],
    [String.raw`"level": *[0-9]+`, 'repetitions beside each other'],
    [String.raw`^(?:\w+ )?\w+\.[a-z]{2,}$`, 'an optional group with a repetition'],
    ['(ab|cd)*x+', 'a repeated group without repetitions'],
    ['([^]+)*]+)', 'a bracket that begins its list'],
    ['([[:alpha:]*+]x)+', 'quantifiers inside of a list'],
    ['([]*])+', 'a list of a bracket and an asterisk'],
    [String.raw`([\]*])+`, 'an escaped bracket in a list'],
    [String.raw`(a\*)*`, 'an escaped asterisk'],
    [String.raw`\\1`, 'an escaped backslash before a digit'],
    [String.raw`[\1]`, 'an escape inside of a list'],
    ['(a{,3})*', 'a brace that begins no bound'],
    ['***=(a*)*\\1', 'literal text'],
    ['(?q)(a*)*\\1', 'quoted text'],
    ['(?#(a*)*)b*', 'a comment'],
    ['(?x)a # (b*)*', 'a comment in expanded syntax'],
    ['.{255}', 'a bound'],
    ['(?i)(x{3}){4}y*?', 'a lazy repetition'],
    ['((((a', 'unbalanced brackets'],
    ['a)*', 'an unbalanced closing bracket'],
    ['[a', 'an unterminated list'],
    ['\\', 'a backslash at the end'],
  ])('accepts %s: %s', (expression) => {
    expect(() => checkExpression(expression)).not.toThrow();
  });

  it.each([
    [String.raw`(a)\1`, 'back-reference'],
    [String.raw`***:(a)\1`, 'back-reference'],
    [String.raw`((a)|b)\2*`, 'back-reference'],
    ['(a*)*', 'without an upper bound'],
    ['(?:a+b)+', 'without an upper bound'],
    ['((x|y+z){2,})', 'without an upper bound'],
    ['((a|b*)?c)*', 'without an upper bound'],
    ['(a{2,})+', 'without an upper bound'],
    ['(?x)( a * ) *', 'without an upper bound'],
    ['(?x)(a* # comment\n)*', 'without an upper bound'],
    ['((?=.*a).)*', 'without an upper bound'],
    ['([]a]*)*', 'without an upper bound'],
    ['([^]]*x)*', 'without an upper bound'],
    ['([[.].]x]*)*', 'without an upper bound'],
    ['(a(?#*)*)*', 'without an upper bound'],
    ['(?b)a', 'advanced'],
    [String.raw`(?ie)([\]x*)*`, 'advanced'],
    ['a)(b*)*', 'without an upper bound'],
    ['((x{0,100}){0,100}){0,100}y', 'too much'],
    ['(.{0,255}){5}', 'too much'],
    [`(a${'(b'.repeat(60)}*${')'.repeat(60)})*`, 'without an upper bound'],
  ])('refuses %s: %s', (expression, reason) => {
    expect(() => checkExpression(expression)).toThrow(reason);
  });
});
