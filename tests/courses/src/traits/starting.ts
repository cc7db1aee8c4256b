import { popup } from '../content/find-surface.ts';
import { both, type Trait } from './trait.ts';

const answers = `ready(() => { result(lms); lms.end(); });`;

/** How content finds the API object, and when it starts its session. */
export const startingTraits: readonly Trait[] = [
  {
    name: 'starts while its page loads',
    standards: both,
    script: `const lms = begin();
      document.addEventListener('DOMContentLoaded', () => { ${answers} });`,
    departure: 'ends by itself',
  },
  {
    name: 'starts a second after its page has loaded',
    standards: both,
    script: `window.addEventListener('load', () => setTimeout(() => { const lms = begin(); ${answers} }, 1000));`,
    departure: 'ends by itself',
  },
  {
    name: 'starts with the click that ends it',
    standards: both,
    script: `resumed = { entry: 'resume', location: 'page 3', suspendData: 'answers: a,b' };
      ready(() => { const lms = connect(window); lms.start(); result(lms); lms.end(); });`,
    departure: 'ends by itself',
  },
  {
    name: 'starts twice',
    standards: both,
    script: `const lms = begin(); lms.careless('start', ''); ${answers}`,
    departure: 'ends by itself',
  },
  {
    name: 'finds the API four frames up',
    standards: both,
    script: `document.body.innerHTML = '<iframe title="1" src="1.html"></iframe>';`,
    pages: {
      '1.html': `document.body.innerHTML = '<iframe title="2" src="2.html"></iframe>';`,
      '2.html': `document.body.innerHTML = '<iframe title="3" src="3.html"></iframe>';`,
      '3.html': `const lms = begin(); ${answers}`,
    },
    frames: ['1', '2', '3'],
    departure: 'ends by itself',
  },
  {
    name: 'finds the API by the opener of the frame that opened its window',
    standards: both,
    script: `document.body.innerHTML = '<iframe title="1" src="1.html"></iframe>';`,
    pages: {
      '1.html': `document.body.innerHTML = '<button>Launch</button>';
        document.querySelector('button').onclick = () => window.open('outer.html');`,
      'outer.html': `document.body.innerHTML = '<iframe title="Inner" src="inner.html"></iframe>';`,
      'inner.html': `const lms = begin(); ready(() => { result(lms); lms.end(); top.close(); });`,
    },
    frames: ['1', popup, 'Inner'],
    departure: 'ends by itself',
  },
];
