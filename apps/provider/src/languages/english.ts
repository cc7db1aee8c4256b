/** The texts in English: the model of all catalogues. */
export const english = {
  direction: 'ltr',
  texts: {
    /** What the player shows. */
    player: {
      course: 'Course',
      contents: 'Contents',
      previous: 'Previous',
      continue: 'Continue',
      endCourse: 'End course',
      exit: 'Exit',
      goBack: 'Go back',
      needsJavaScript: 'This course needs JavaScript.',
      review: 'Review: nothing is recorded',
      saved: 'Saved',
      notSaved: 'Not saved yet. Trying again…',
      choosePart: 'Choose a part of the course.',
      partEnded: 'This part has ended. Choose another one, or leave the course with Exit.',
      unreachable:
        'The course cannot be reached. Check your connection, then load this page again.',
      /** The page that opens the player in a window of its own. */
      opener: {
        open: 'Open the course',
        opens: 'The course opens in a new window.',
        isOpen: 'The course is open in another window.',
        closed: 'The window of the course was closed.',
        blocked: 'The browser did not open a window for the course. Open it here.',
      },
      /** The question at the end of a part whose settings ask for it. */
      confirmExit: {
        question: 'This part has ended. Do you want to leave the course?',
        leave: 'Leave the course',
        stay: 'Stay',
      },
      /** Sentences that are put together while the course cannot be reached. */
      offline: {
        cause: 'The course cannot be reached.',
        savedUntil: 'Your results up to {time} are saved.',
        unsaved: {
          one: '{count} result is not saved yet.',
          other: '{count} results are not saved yet.',
        },
        allSaved: 'All your results are saved.',
        goesOn: 'The player keeps trying and goes on by itself. Keep this window open.',
      },
      /** The status of a part. */
      statuses: {
        notStarted: 'Not started',
        inProgress: 'In progress',
        completed: 'Completed',
        passed: 'Passed',
        failed: 'Failed',
      },
      /** Why a part or a navigation button cannot be used, by the refusals of the provider. */
      refusals: {
        unavailable: 'This part does not belong to this attempt.',
        notChoosable: 'This part is reached with Continue and Previous.',
        hidden: 'This part cannot be chosen now.',
        disabled: 'This part is not available now.',
        noAttemptsLeft: 'All attempts on this part have been used.',
        noFlow: 'Choose a part from the contents.',
        forwardOnly: 'This course goes forward only.',
        stopped: 'A part before this one has to be finished first.',
        choiceExit: 'The open part has to be finished first.',
        preventActivation: 'This part is reached from the parts before it.',
        constrained: 'Only the parts next to the open one can be chosen.',
        nothingThere: 'There is no further part here.',
        prerequisites: 'Other parts have to be completed first.',
        notNow: 'This is not possible now.',
      },
      /** The page after the learner has left the course, by its outcome. */
      endings: {
        completed: {
          title: 'You have completed the course',
          text: 'Your result is saved. You can close this window.',
        },
        failed: {
          title: 'You have not passed the course',
          text: 'Your result is saved. You can close this window.',
        },
        suspended: {
          title: 'You have left the course',
          text: 'Your progress is saved. Open the course again to continue. You can close this window.',
        },
        review: {
          title: 'You have left the course',
          text: 'This was a review: nothing was recorded. You can close this window.',
        },
        /** The outcome is unknown, because the response was lost. */
        left: {
          title: 'You have left the course',
          text: 'Your results are saved. You can close this window.',
        },
      },
      /** The page after the provider has refused a request of the window. */
      stops: {
        openElsewhere: {
          title: 'This window has ended',
          text: 'The course was opened again, or was left, in another window. Go on there, or open it again.',
        },
        ended: {
          title: 'This window has ended',
          text: 'Nothing more can be saved here. Open the course again where you found it.',
        },
      },
    },
    /** Pages in place of a course. */
    notices: {
      ended: {
        title: 'This window has ended',
        text: 'The course was left here. Go back to where you opened the course, and open it again there.',
      },
      expired: {
        title: 'This link has expired',
        text: 'A link to a course works for a short time only. Go back to where you opened the course, and open it again there.',
      },
      used: {
        title: 'This link has been used',
        text: 'A link to a course opens one window. Go back to where you opened the course, and open it again there.',
      },
      invalid: {
        title: 'This link does not open a course',
        text: 'Go back to where you opened the course, and open it again there.',
      },
    },
  },
};
